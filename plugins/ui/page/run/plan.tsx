/** The planned actions of a run, the most dangerous first. */
import { useMemo, useState } from "preact/hooks";
import type { PlanNote, Plan as Planned } from "../../../../core/contract/index.js";
import type { RunView } from "../../model/index.js";
import { ActionList } from "../list/action-list.js";
import { Icon } from "../parts/icon.js";
import { Empty } from "../parts/notice.js";
import { count, counted } from "../parts/time.js";
import { visible, visibleLines } from "../parts/visible.js";
import { PLAN_WORDS, plannedActions } from "./planned-actions.js";

export function Plan({ view }: { readonly view: RunView }) {
  const { plan, head } = view;
  if (!plan)
    return (
      <Empty icon="eye" title="This run made no plan">
        <code>engine plan --ui</code> shows what a run would do, and changes nothing.
      </Empty>
    );
  return <PlanOf key={head?.run} plan={plan} stage={head ? `${head.app}/${head.stage}/` : ""} />;
}

interface PlanOfProps {
  readonly plan: Planned;
  /** With a slash at its end. */
  readonly stage: string;
}

function PlanOf({ plan, stage }: PlanOfProps) {
  const { actions, renamed = [], recordOnly } = plan;
  const isNothing = actions.length + renamed.length + recordOnly.length === 0;
  const listed = useMemo(() => plannedActions(actions, stage), [actions, stage]);
  return (
    <>
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
      {listed.length > 0 && (
        <ActionList label="Planned actions" actions={listed} words={PLAN_WORDS} aside={<Others plan={plan} />} />
      )}
      <Notes title="Not known yet" notes={plan.unknown} stage={stage} />
      <Notes title="Renamed" notes={renamed} stage={stage} />
      <Notes title="Changed in the state only" notes={recordOnly} stage={stage} />
      <Notes title="Kept" notes={plan.kept} stage={stage} />
      <Notes title="Left out" notes={plan.leftOut} stage={stage} />
    </>
  );
}

/** Counts that are no certain action. */
function Others({ plan: { actions, counts } }: { readonly plan: Planned }) {
  const uncertain = PLAN_WORDS.flatMap((action) => {
    const number = actions.filter((one) => one.action === action && !one.certain).length;
    return number > 0 ? [`${counted(number, action)} may not be needed`] : [];
  });
  const unchanged = counts.unchanged > 0 ? [`${count(counts.unchanged)} unchanged`] : [];
  return <span class="soft small">{[...uncertain, ...unchanged].join(" · ")}</span>;
}

const STEP = 40;

interface NotesProps {
  readonly title: string;
  readonly notes: readonly PlanNote[];
  readonly stage: string;
}

function Notes({ title, notes, stage }: NotesProps) {
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
