/** The first look at a stage: its last run, its lock, drift, seal, and the changes of the last week. */
import type { ComponentChildren } from "preact";
import type { RunRow, StageChanges, StageHead } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import { Pill } from "../parts/pill.js";
import { CiRun, RunLink, runOf } from "../parts/run-link.js";
import { PROCESS } from "../parts/seal-mark.js";
import { Summary, sumOf } from "../parts/summary.js";
import { counted, useNow, When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf } from "../router.js";
import { belowStage } from "../shell/header.js";
import { changedSince } from "./resource-filter.js";

interface SummaryProps {
  readonly head: StageHead;
  /** All runs that the server knows. */
  readonly runs: readonly RunRow[];
  /** Undefined until they are loaded. */
  readonly changes: StageChanges | undefined;
}

export function StageSummary({ head, runs, changes }: SummaryProps) {
  const own = runs.filter(({ app, stage }) => app === head.app && stage === head.stage);
  return (
    <section aria-label="Summary" class="stage-summary">
      <dl>
        <Fact name="Last run">
          <LastRun head={head} runs={own} />
        </Fact>
        <Fact name="Lock">
          <Lock head={head} />
        </Fact>
        <Fact name="Drift">
          <LastCheck head={head} runs={own} />
        </Fact>
        <Fact name="Seal">
          <Seal seal={head.seal} />
        </Fact>
        <Fact name="Last 7 days">
          <Week head={head} changes={changes} />
        </Fact>
      </dl>
      <WhyFailed head={head} runs={own} />
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Returns the run with events that the state records as ended. */
function lastOf({ app, stage, lastRun }: StageHead, runs: readonly RunRow[]): RunRow | undefined {
  return lastRun && runOf(runs, { app, stage, by: lastRun });
}

function LastRun({ head, runs }: Omit<SummaryProps, "changes">) {
  const { lastRun } = head;
  if (!lastRun) return <span class="soft">none has ended yet</span>;
  const { outcome, command, since, user, host } = lastRun;
  const run = lastOf(head, runs);
  const name = <code>{visible(command)}</code>;
  return (
    <>
      <Pill word={outcome} />{" "}
      {run ? <a href={fragmentOf({ page: "run", run: run.run, tab: undefined })}>{name}</a> : name}
      {run && (
        <>
          {" · "}
          <a href={fragmentOf({ page: "run", run: run.run, tab: "progress", sort: "took" })}>slowest</a>
        </>
      )}
      <span class="fact-line soft" title={`${user}@${host}`}>
        <When at={since} /> by {visible(user)}@{visible(host)}
      </span>
    </>
  );
}

/** The failure of the last run in one sentence. */
function WhyFailed({ head, runs }: Omit<SummaryProps, "changes">) {
  const { app, stage, lastRun, problems, failed } = head;
  const run = lastOf(head, runs);
  if (lastRun?.outcome !== "failed") return null;
  const [first] = problems;
  const others = Math.max(failed, problems.length) - 1;
  const href =
    first &&
    (run
      ? fragmentOf({ page: "run", run: run.run, tab: "progress", row: `+${first.fqn}` })
      : fragmentOf({ page: "resource", app, stage, fqn: first.fqn, tab: "values" }));
  return (
    <p class="why-failed">
      <Icon name="alert" size={16} />
      <span>
        {first ? (
          <>
            <a class="name" href={href}>
              {visible(belowStage(first.fqn, app, stage).slice(-200))}
            </a>{" "}
            failed: {visible(first.message)}
            {others > 0 && (
              <>
                {" · "}
                <a href={fragmentOf({ page: "stage", app, stage, tab: "resources", filter: "status=failed" })}>
                  {counted(others, "other failure")}
                </a>
              </>
            )}
          </>
        ) : (
          <>
            The run failed, and no resource did.{" "}
            {run && <a href={fragmentOf({ page: "run", run: run.run, tab: "progress" })}>Show why</a>}
          </>
        )}
      </span>
    </p>
  );
}

function Lock({ head: { app, stage, holder } }: Pick<SummaryProps, "head">) {
  if (!holder) return <span class="soft">free</span>;
  const { user, host, pid, command, since, process, ci } = holder;
  return (
    <>
      <span class="fact-line">
        <b>
          {visible(user)}@{visible(host)}
        </b>{" "}
        holds the lock: <code>{visible(command)}</code>
      </span>
      <span class="soft">
        process {pid}, for <When at={since} isLasting />; {PROCESS[process]}
      </span>
      <div>
        <CiRun run={{ ci }} /> <RunLink app={app} stage={stage} by={holder} />
      </div>
    </>
  );
}

function LastCheck({ head: { app, stage }, runs }: Omit<SummaryProps, "changes">) {
  const href = fragmentOf({ page: "stage", app, stage, tab: "drift" });
  const last = runs.find(({ checksDrift, state }) => checksDrift && state !== "running");
  if (!last) return <a href={href}>not checked here</a>;
  const { drifted = 0 } = last;
  return (
    <>
      <a href={href}>
        {drifted === 0
          ? last.state === "done"
            ? "no drift"
            : "check failed"
          : `${counted(drifted, "resource")} drifted`}
      </a>
      <span class="fact-line soft">
        checked <When at={last.since} />
      </span>
    </>
  );
}

const SEALS: Readonly<Record<StageHead["seal"], string>> = {
  verified: "verified with its key",
  unverified: "sealed, not verified: no key here",
  "other-key": "sealed with another key, not verified",
  forged: "forged",
  none: "not sealed",
};

function Seal({ seal }: Pick<StageHead, "seal">) {
  const isProven = seal === "verified";
  return (
    <span class={isProven ? "good" : seal === "none" ? "soft" : "warn"}>
      {seal !== "none" && <Icon name="shield" size={14} />} {SEALS[seal]}
    </span>
  );
}

function Week({ head: { app, stage }, changes }: Omit<SummaryProps, "runs">) {
  const now = useNow(60_000);
  if (!changes) return <span class="soft">loading</span>;
  const since = changedSince("week", now) ?? 0;
  const runs = changes.copies.flatMap(({ run }) => (run && Date.parse(run.since) >= since ? [run] : []));
  if (runs.length === 0) return <span class="soft">no changes</span>;
  const { created, updated, replaced, adopted, deleted } = sumOf(runs.map(({ summary }) => summary));
  return (
    <>
      <a href={fragmentOf({ page: "stage", app, stage, tab: "resources", filter: "changed=week&sort=-changed" })}>
        {counted(runs.length, "run")}
      </a>{" "}
      <Summary summary={{ ...sumOf([]), created, updated, replaced, adopted, deleted }} />
    </>
  );
}
