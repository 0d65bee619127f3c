/** The last change of a resource in one line: when it was made, by which run, and the changed values. */
import type { Change, ValueAt } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { pathName } from "../parts/changes.js";
import { RunLink } from "../parts/run-link.js";
import { When } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type ResourceRoute } from "../router.js";

/** Changes that are named, and characters of their values. */
const MOST = 3;
const LONGEST = 40;

/** As high before its answer as after it, so that nothing moves. */
export function LastChange({ route, isHeld }: { readonly route: ResourceRoute; readonly isHeld: boolean }) {
  const { app, stage, fqn } = route;
  const { data, failure } = useAnswer<readonly ValueAt[]>(
    `${stagePath(app, stage)}/values?fqn=${encodeURIComponent(fqn)}`,
  );
  const [last] = data ?? [];
  return (
    <p class="last-change" role="status" aria-label="Last change">
      {last ? (
        <Told last={last} isHeld={isHeld} route={route} />
      ) : (
        <span class="soft">
          {data || failure ? "No copy of the state shows its last change." : "Loading its last change"}
        </span>
      )}
    </p>
  );
}

interface ToldProps {
  readonly last: ValueAt;
  readonly isHeld: boolean;
  readonly route: ResourceRoute;
}

function Told({ last: { run, what, changes }, isHeld, route }: ToldProps) {
  const left = changes.length - MOST;
  return (
    <>
      <a href={fragmentOf({ ...route, tab: "history" })}>
        {what === "changed" ? "Last changed" : what === "made" ? "Created" : "Gone"}
      </a>{" "}
      {run ? (
        <>
          <When at={run.since} isExact />{" "}
          <span class="soft">
            by {visible(run.user)}@{visible(run.host)},{" "}
            <RunLink {...route} by={run}>
              <code>{visible(run.command)}</code>
            </RunLink>
          </span>
        </>
      ) : (
        <span class="soft">{isHeld ? "in the run under way" : "by a run that is not in the state any more"}</span>
      )}
      {what === "changed" && changes.length > 0 && (
        <>
          : {changes.slice(0, MOST).map(wordsOf).join(", ")}
          {left > 0 && ` and ${left} more`}
        </>
      )}
    </>
  );
}

/** Formats a change, e.g. `props.replicas 2 → 3`; of long values only the name. */
function wordsOf({ path, old, new: now }: Change): string {
  const name = visible(pathName(path).slice(0, 80));
  const [before, after] = [old, now].map((value) => (value === undefined ? "none" : JSON.stringify(value)));
  const isShort = before !== undefined && after !== undefined && before.length + after.length < LONGEST;
  return isShort && (old !== undefined || now !== undefined) ? `${name} ${visible(before)} → ${visible(after)}` : name;
}
