/** Planned actions as lines of a list, with their changes and the deleted values. */
import type { PlannedAction } from "../../../../core/contract/index.js";
import type { ListedAction } from "../list/action-list.js";
import { Changes } from "../parts/changes.js";
import { count } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";

/** The most dangerous first. */
export const PLAN_WORDS = ["delete", "replace", "update", "create", "adopt"] as const;

/** @param stage with a slash at its end */
export function plannedActions(actions: readonly PlannedAction[], stage: string): readonly ListedAction[] {
  return PLAN_WORDS.flatMap((word) => actions.filter(({ action }) => action === word)).map((action, index) => {
    const { fqn, kind, reason, deletes } = action;
    const does = deletes?.does === undefined ? [] : [`${conditionOf(action)}its delete ${deletes.does}`];
    return {
      key: `${index}`,
      word: action.action,
      path: fqn.startsWith(stage) ? fqn.slice(stage.length) : fqn,
      kind,
      note: [reason, ...does].join(" · "),
      marks: <Marks action={action} />,
      details: () => <Details action={action} />,
    };
  });
}

function conditionOf({ action, certain }: PlannedAction): string {
  return action === "replace" && !certain ? "If it is replaced: " : "";
}

function Details({ action }: { readonly action: PlannedAction }) {
  const { reason, changes, drift, deletes, deletesFirst = [] } = action;
  const condition = conditionOf(action);
  return (
    <>
      <p class="action-why">
        {action.action === "replace" && <span class="soft">Forced by: </span>}
        {visibleLines(reason)}
        {deletes?.does !== undefined && (
          <>
            <span class="soft"> · {condition}its delete </span>
            <span class="does">{visibleLines(deletes.does)}</span>
          </>
        )}
        {deletesFirst.length > 0 && (
          <>
            <span class="soft"> · {condition}deletes first </span>
            <span class="does">{visible(deletesFirst.slice(0, 20).join(", "))}</span>
            {deletesFirst.length > 20 && <span class="soft"> and {count(deletesFirst.length - 20)} more</span>}
          </>
        )}
      </p>
      {changes.length > 0 && <Changes changes={changes} />}
      {drift.length > 0 && (
        <>
          <h2>Drift: the real resource differs from the state</h2>
          <Changes changes={drift} />
        </>
      )}
      {deletes && deletes.output.length > 0 && (
        <>
          <h2>Deleted values</h2>
          <Changes changes={deletes.output} />
        </>
      )}
    </>
  );
}

function Marks({ action }: { readonly action: PlannedAction }) {
  return (
    <>
      {!action.certain && (
        <span
          class="mark"
          title="The change depends on values that are known only after other resources are created. There may be nothing to do"
        >
          if values differ
        </span>
      )}
      {action.mayReplace && (
        <span class="mark is-warn" title="The handler decides this during the run">
          may replace
        </span>
      )}
      {action.replaced && <span class="mark">old copy</span>}
    </>
  );
}
