/** The planned actions of a run, the most dangerous first. */
import { useState } from "preact/hooks";
import type { PlanNote, PlannedAction } from "../../../../core/contract/index.js";
import type { RunView } from "../../model/index.js";
import { Changes } from "../parts/changes.js";
import { Icon } from "../parts/icon.js";
import { Empty } from "../parts/notice.js";
import { Pill } from "../parts/pill.js";
import { count, counted } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";

const GROUPS = [
  ["delete", "deleted"],
  ["replace", "replaced"],
  ["update", "updated"],
  ["create", "created"],
  ["adopt", "adopted"],
] as const;

export function Plan({ view }: { readonly view: RunView }) {
  const { plan, head } = view;
  if (!plan)
    return (
      <Empty icon="eye" title="This run made no plan">
        <code>engine plan --ui</code> shows what a run would do, and changes nothing.
      </Empty>
    );
  const { actions, renamed = [], recordOnly } = plan;
  const isNothing = actions.length + renamed.length + recordOnly.length === 0;
  const stage = head ? `${head.app}/${head.stage}/` : "";
  return (
    <>
      <p class="plan-counts">
        {GROUPS.map(([action]) => {
          const number = actions.filter((one) => one.action === action && one.certain).length;
          return (
            number > 0 && (
              <span key={action} class="plan-count">
                <Pill word={action} /> <b>{count(number)}</b>
              </span>
            )
          );
        })}
        {GROUPS.map(([action, word]) => {
          const number = actions.filter((one) => one.action === action && !one.certain).length;
          return (
            number > 0 && (
              <span key={`${action}?`} class="soft">
                up to {count(number)} may be {word}
              </span>
            )
          );
        })}
        {plan.counts.unchanged > 0 && <span class="soft">{count(plan.counts.unchanged)} unchanged</span>}
      </p>
      {plan.stopped !== undefined && (
        <div class="banner" data-tone="warn">
          <Icon name="alert" size={18} />
          <p>
            The plan is incomplete, because the program could not be followed to its end: {visibleLines(plan.stopped)}
          </p>
        </div>
      )}
      {plan.errors.length > 0 && (
        <section aria-label="Expected failures">
          <h2 class="section bad">{counted(plan.errors.length, "error")}</h2>
          {plan.errors.slice(0, 100).map(({ code, message, fqn }, index) => (
            <div key={index} class="card failure">
              {fqn !== undefined && <b class="name">{visible(fqn)}</b>} {visibleLines(message)}{" "}
              <code>{visible(code)}</code>
            </div>
          ))}
        </section>
      )}
      {isNothing && plan.errors.length === 0 && <Empty icon="check" title="There is nothing to do" />}
      {GROUPS.map(([action, word]) => (
        <Group
          key={action}
          title={`To be ${word}`}
          tone={action}
          actions={actions.filter((one) => one.action === action)}
          stage={stage}
        />
      ))}
      <Notes title="Not known yet" notes={plan.unknown} stage={stage} />
      <Notes title="Renamed" notes={renamed} stage={stage} />
      <Notes title="Changed in the state only" notes={recordOnly} stage={stage} />
      <Notes title="Kept" notes={plan.kept} stage={stage} />
      <Notes title="Left out" notes={plan.leftOut} stage={stage} />
    </>
  );
}

const STEP = 40;

interface GroupProps {
  readonly title: string;
  readonly tone: string;
  readonly actions: readonly PlannedAction[];
  readonly stage: string;
}

function Group({ title, tone, actions, stage }: GroupProps) {
  const [shown, setShown] = useState(STEP);
  if (actions.length === 0) return null;
  return (
    <section class="plan-group" data-action={tone}>
      <h2 class="section">
        {title} <span class="count">{count(actions.length)}</span>
      </h2>
      {actions.slice(0, shown).map((action, index) => (
        <Action
          key={index}
          action={action}
          stage={stage}
          isOpen={actions.length <= 12 && action.changes.length <= 12}
        />
      ))}
      {actions.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
          Show more ({counted(actions.length - shown, "resource")})
        </button>
      )}
    </section>
  );
}

function Notes({
  title,
  notes,
  stage,
}: {
  readonly title: string;
  readonly notes: readonly PlanNote[];
  readonly stage: string;
}) {
  const [shown, setShown] = useState(STEP);
  if (notes.length === 0) return null;
  return (
    <section class="plan-group">
      <h2 class="section">
        {title} <span class="count">{count(notes.length)}</span>
      </h2>
      <ul class="card notes">
        {notes.slice(0, shown).map(({ fqn, kind, reason }, index) => (
          <li key={index}>
            <span class="name">{visible(fqn.startsWith(stage) ? fqn.slice(stage.length) : fqn)}</span>{" "}
            <code class="soft">{visible(kind)}</code> <span class="soft">{visibleLines(reason)}</span>
          </li>
        ))}
      </ul>
      {notes.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 5)}>
          Show more ({count(notes.length - shown)})
        </button>
      )}
    </section>
  );
}

interface ActionProps {
  readonly action: PlannedAction;
  /** With a slash at its end. */
  readonly stage: string;
  readonly isOpen: boolean;
}

/** A planned action: its reason, its changes, and the deleted values. */
function Action({ action, stage, isOpen: isFirstOpen }: ActionProps) {
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
              <h4>Drift: the real resource differs from the state</h4>
              <Changes changes={drift} />
            </>
          )}
          {deletes && deletes.output.length > 0 && (
            <>
              <h4>Deleted values</h4>
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
    </span>
  );
}
