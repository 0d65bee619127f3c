/** What would be done about one resource: why, what differs, what goes. */
import { useState } from "preact/hooks";
import type { PlannedAction } from "../../../../core/contract/index.js";
import { Changes } from "../parts/changes.js";
import { count } from "../parts/format.js";
import { Icon } from "../parts/icon.js";
import { Pill } from "../parts/pill.js";
import { visible, visibleLines } from "../parts/visible.js";

interface ActionProps {
  readonly action: PlannedAction;
  /** With a slash at its end. */
  readonly stage: string;
  readonly isOpen: boolean;
}

export function Action({ action, stage, isOpen: isFirstOpen }: ActionProps) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  const { fqn, kind, reason, changes, drift, deletes, deletesFirst = [] } = action;
  const name = fqn.startsWith(stage) ? fqn.slice(stage.length) : fqn;
  const condition = action.action === "replace" && !action.certain ? "If it is replaced: " : "";
  return (
    <article class="card action" data-action={action.action}>
      <h3 class="action-head">
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chevron" size={14} />
          <Pill word={action.action} />
          <span class="name">{visible(name.slice(0, 300))}</span>
        </button>
        <code class="soft">{visible(kind.slice(0, 120))}</code>
        <Marks action={action} />
      </h3>
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
      {isOpen && (
        <>
          {changes.length > 0 && <Changes changes={changes} />}
          {drift.length > 0 && (
            <>
              <h4>What is there differs from what is recorded</h4>
              <Changes changes={drift} />
            </>
          )}
          {deletes && deletes.output.length > 0 && (
            <>
              <h4>What goes</h4>
              <Changes changes={deletes.output} />
            </>
          )}
        </>
      )}
    </article>
  );
}

function Marks({ action }: { readonly action: PlannedAction }) {
  return (
    <span class="marks">
      {!action.certain && (
        <span
          class="mark"
          title="It rests on values that are known only after others are made; there may be nothing to do"
        >
          if values differ
        </span>
      )}
      {action.mayReplace && (
        <span class="mark is-warn" title="The handler decides; nobody can see that before">
          may replace
        </span>
      )}
      {action.replaced && <span class="mark">old copy</span>}
    </span>
  );
}
