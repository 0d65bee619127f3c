/** One resource: its record, its neighbours, and every value that it had. */
import type { ResourceDetail, ResourceView, ValuePart } from "../../api/index.js";
import { ask, stagePath } from "../data/ask.js";
import { useAnswer, useEvery } from "../data/use-answer.js";
import type { PartSource } from "../list/rows.js";
import { Icon } from "../parts/icon.js";
import { Loading, Missing, Trouble } from "../parts/notice.js";
import { isAtWork, STATUS_ACTION, StatusPill } from "../parts/pill.js";
import { Holder, SealMark } from "../parts/seal-mark.js";
import { Tabs } from "../parts/tabs.js";
import { When } from "../parts/time.js";
import { Value } from "../parts/value.js";
import { visible, visibleLines } from "../parts/visible.js";
import { fragmentOf, type ResourceRoute, type ResourceTab } from "../router.js";
import { belowStage } from "../shell/header.js";
import { Page } from "../shell/page.js";
import { Facts } from "./facts.js";
import { LastChange } from "./last-change.js";
import { Neighbours } from "./neighbours.js";
import { Values } from "./values.js";

export function ResourcePage({ route }: { readonly route: ResourceRoute }) {
  const { app, stage, fqn, tab } = route;
  const path = `${stagePath(app, stage)}/resource?fqn=${encodeURIComponent(fqn)}`;
  const { data, failure, isLoading, reload } = useAnswer<ResourceView>(path);
  const hrefOf = (one: ResourceTab): string => fragmentOf({ ...route, tab: one });
  const present = data?.copies[0];
  const isPending = data?.copies.some(({ status }) => status !== "ready") === true;
  useEvery(3_000, isPending ? reload : nothing);
  const part = `${stagePath(app, stage)}/part?fqn=${encodeURIComponent(fqn)}&seq=${data?.seq}`;
  const source: PartSource = (at, from) => ask<ValuePart>(`${part}&path=${encodeURIComponent(at)}&from=${from}`);
  const tabs = [
    { name: "Values", href: hrefOf("values") },
    { name: "Graph", href: hrefOf("graph") },
    { name: "History", href: hrefOf("history") },
  ];
  const title = visible(belowStage(fqn, app, stage).slice(0, 400));
  if (failure?.near && tab !== "history") {
    return (
      <Page title={title} address={`resource ${fqn}`}>
        <Missing
          title={`"${belowStage(fqn, app, stage).slice(0, 400)}" is not in the state of ${app}/${stage}`}
          near={failure.near}
          hrefOf={(name) => fragmentOf({ ...route, fqn: name })}
          textOf={(name) => belowStage(name, app, stage)}
        >
          <p>
            <a href={hrefOf("history")}>Look for its former values</a>
          </p>
        </Missing>
      </Page>
    );
  }
  return (
    <Page
      title={title}
      address={`resource ${fqn}`}
      aside={
        present && (
          <>
            <StatusPill status={present.status} hasFailed={present.error !== undefined} holder={data?.holder} />
            <code class="soft">{visible(present.kind.slice(0, 200))}</code>
            <SealMark seal={data?.seal} />
          </>
        )
      }
      tabs={<Tabs label="Views of the resource" tabs={tabs} current={tab} />}
    >
      {tab === "values" && (
        <>
          {failure && <Trouble failure={failure} onRetry={reload} />}
          {isLoading && <Loading label="Loading the resource" />}
          {data && <LastChange route={route} isHeld={data.holder !== undefined} />}
          {data?.copies.map((copy, index) => (
            <Recorded
              key={copy.uid}
              copy={copy}
              holder={data.holder}
              inferred={index > 0 ? undefined : data.inferred}
              isOld={index > 0}
              route={route}
              source={index > 0 ? undefined : source}
            />
          ))}
        </>
      )}
      {tab === "graph" && <Neighbours route={route} />}
      {tab === "history" && <Values route={route} />}
    </Page>
  );
}

/** A ready resource is not reloaded. */
function nothing(): void {}

interface RecordedProps {
  readonly copy: ResourceDetail;
  readonly holder: ResourceView["holder"];
  readonly inferred: ResourceView["inferred"];
  readonly isOld: boolean;
  readonly route: ResourceRoute;
  readonly source: PartSource | undefined;
}

function Recorded({ copy, holder, inferred, isOld, route, source }: RecordedProps) {
  const { output, props, lastGoodProps, data } = copy;
  return (
    <article aria-label={isOld ? "An old copy" : "The present copy"}>
      {isOld && (
        <h2 class="section">
          An old copy<span class="soft">waiting to be deleted</span>
        </h2>
      )}
      <Pending copy={copy} holder={holder} />
      <NotDeleted copy={copy} />
      <div class="columns">
        <div>
          <Section title="Output" path="/output" source={source} value={output} none="not recorded" />
          <Section title="Props" path="/props" source={source} value={props} none="none" />
          {lastGoodProps !== undefined && (
            <Section
              title="Props of the last successful change"
              path="/lastGoodProps"
              source={source}
              value={lastGoodProps}
              none="none"
            />
          )}
          {Object.keys(data).length > 0 && (
            <Section title="Data" path="/data" source={source} value={data} none="none" />
          )}
        </div>
        <Facts copy={copy} inferred={inferred} route={route} />
      </div>
    </article>
  );
}

interface SectionProps {
  readonly title: string;
  readonly value: unknown;
  readonly none: string;
  readonly path: string;
  readonly source: PartSource | undefined;
}

function Section({ title, value, none, path, source }: SectionProps) {
  return (
    <section class="card values" aria-label={title}>
      <h2 class="card-title">{title}</h2>
      {value === undefined ? <p class="soft">{none}</p> : <Value value={value} path={path} source={source} />}
    </section>
  );
}

/** Shows that the last delete of a resource failed, and why. */
function NotDeleted({ copy: { deleteFailed } }: { readonly copy: ResourceDetail }) {
  if (deleteFailed === undefined) return null;
  const { attempts, message, time } = deleteFailed;
  return (
    <div class="banner" data-tone="warn" role="note">
      <Icon name="alert" size={18} />
      <div>
        <p>
          <strong>Delete failed:</strong> the last of {attempts === 1 ? "1 attempt" : `${attempts} attempts`} failed{" "}
          <When at={time} />. An <code>up</code> that declares the resource keeps it.
        </p>
        <pre class="message">{visibleLines(message.slice(0, 20_000))}</pre>
      </div>
    </div>
  );
}

interface PendingProps {
  readonly copy: ResourceDetail;
  readonly holder: ResourceView["holder"];
}

/** Shows why a resource is pending, and how it continues. */
function Pending({ copy, holder }: PendingProps) {
  const { status, error, since } = copy;
  if (status === "ready") return null;
  const when = since !== undefined && <When at={since} />;
  if (error === undefined && holder && isAtWork(holder)) {
    return (
      <>
        <Holder holder={holder} />
        <div class="banner" data-tone="busy" role="note">
          <Icon name="clock" size={18} />
          <p>
            <strong>Running:</strong> its {STATUS_ACTION[status]} belongs to a run that began {when} and has not ended.
          </p>
        </div>
      </>
    );
  }
  return (
    <div class="banner" data-tone="warn" role="note">
      <Icon name="alert" size={18} />
      <div>
        <p>
          <strong>Pending:</strong> its {STATUS_ACTION[status]} {error === undefined ? "was interrupted" : "failed"} in
          a run that began {when}. The next <code>up</code> continues from there.
        </p>
        {error !== undefined && <pre class="message">{visibleLines(error.slice(0, 20_000))}</pre>}
      </div>
    </div>
  );
}
