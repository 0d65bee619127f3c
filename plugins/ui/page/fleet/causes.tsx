/** The failures of a fleet run by cause, its slowest stages, and the stages that left the list. */
import { useState } from "preact/hooks";
import type { FailureGroup } from "../../../fleet/index.js";
import { duration } from "../../../internal/text/duration.js";
import type { FleetView } from "../../api/index.js";
import { Icon } from "../parts/icon.js";
import { LongText } from "../parts/long-text.js";
import { count, counted } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf } from "../router.js";

const STEP = 5;
const MOST_LEFT = 12;

export function Causes({ view }: { readonly view: FleetView }) {
  const [shown, setShown] = useState(STEP);
  const { fleet, failures } = view.report;
  if (failures.length === 0) return null;
  return (
    <section class="failures" aria-label="Failures by cause">
      <h2 class="section bad">{counted(failures.length + view.left, "cause")} of failure</h2>
      {failures.slice(0, shown).map((group) => (
        <Cause key={`${group.code} ${group.stages[0]}`} fleet={fleet} group={group} />
      ))}
      {failures.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 4)}>
          Show more ({counted(failures.length - shown, "cause")})
        </button>
      )}
      {view.left > 0 && <p class="soft">{counted(view.left, "further cause")}: see the command's report.</p>}
    </section>
  );
}

function Cause({ fleet, group }: { readonly fleet: string; readonly group: FailureGroup }) {
  const { code, resource, message, stages } = group;
  const others = group.count - stages.length;
  return (
    <article class="card failure">
      <header class="failure-head">
        <Icon name="alert" />
        <b>{counted(group.count, "stage")}</b>
        {resource !== undefined && (
          <span>
            at <b class="name">{visible(resource.slice(0, 300))}</b>
          </span>
        )}
        <code class="failure-code">{visible(code)}</code>
      </header>
      {message !== undefined && (
        <p class="failure-message">
          <LongText text={message} />
        </p>
      )}
      <p class="fleet-examples">
        {stages.map((stage) => (
          <StageLink key={stage} fleet={fleet} stage={stage} />
        ))}
        {others > 0 && <span class="soft">and {count(others)} more</span>}
      </p>
    </article>
  );
}

function StageLink({ fleet, stage }: { readonly fleet: string; readonly stage: string }) {
  return (
    <a class="fleet-stage" href={hrefOfStage(fleet, stage)}>
      {visible(stage)}
    </a>
  );
}

export function hrefOfStage(fleet: string, stage: string): string {
  return fragmentOf({ page: "stage", app: fleet, stage, tab: "resources" });
}

export function Slowest({ view }: { readonly view: FleetView }) {
  const { fleet, slowest } = view.report;
  if (slowest.length === 0) return null;
  return (
    <section class="card" aria-label="Slowest stages">
      <h2 class="card-title">Slowest stages</h2>
      <ol class="fleet-list">
        {slowest.map(({ stage, duration: taken }) => (
          <li key={stage}>
            <StageLink fleet={fleet} stage={stage} />
            <span class="soft nowrap">{duration(taken)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Left({ view }: { readonly view: FleetView }) {
  const [isAll, setAll] = useState(false);
  const { fleet, left } = view.report;
  if (left.length === 0) return null;
  const shown = isAll ? left : left.slice(0, MOST_LEFT);
  return (
    <section class="card" aria-label="Stages that left the list">
      <h2 class="card-title">
        Left the list{" "}
        <span class="soft">· {left.length >= 100 ? "100 or more stages" : counted(left.length, "stage")}</span>
      </h2>
      <p class="fleet-examples">
        {shown.map((stage) => (
          <StageLink key={stage} fleet={fleet} stage={stage} />
        ))}
        {left.length > shown.length && (
          <button type="button" class="more" onClick={() => setAll(true)}>
            Show {count(left.length - shown.length)} more
          </button>
        )}
      </p>
    </section>
  );
}
