/** The facts about a resource other than its values. */
import { useState } from "preact/hooks";
import type { ResourceDetail, ResourceView } from "../../api/index.js";
import { count } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type ResourceRoute } from "../router.js";
import { belowStage } from "../shell/header.js";

interface FactsProps {
  readonly copy: ResourceDetail;
  /** Absent for an old copy. */
  readonly inferred: ResourceView["inferred"];
  readonly route: ResourceRoute;
}

export function Facts({ copy, inferred, route }: FactsProps) {
  const options = [copy.protect && "protect", copy.retain && "retainOnDelete"].filter((one) => one !== false);
  return (
    <aside class="facts" aria-label="About this resource">
      <dl>
        <dt>Physical name</dt>
        <dd>
          <code>{visible(copy.physicalName.slice(0, 400))}</code>
        </dd>
        <dt>Record id</dt>
        <dd>
          <code>{visible(copy.uid)}</code>
        </dd>
        <dt>Options</dt>
        <dd>
          {options.length > 0 ? options.map((one) => <code key={one}>{one}</code>) : <span class="soft">none</span>}
        </dd>
        {copy.attempt > 0 && (
          <>
            <dt>Attempts</dt>
            <dd>{copy.attempt}</dd>
          </>
        )}
      </dl>
      {copy.parent !== undefined && <Links title="Parent" names={[copy.parent]} route={route} />}
      <Links title="Depends on" names={copy.dependsOn} inferred={inferred?.dependsOn} route={route} />
      <Links title="Dependents" names={copy.dependents} inferred={inferred?.dependents} route={route} />
      {copy.children.length > 0 && <Links title="Children" names={copy.children} route={route} />}
    </aside>
  );
}

const STEP = 12;

interface LinksProps {
  readonly title: string;
  readonly names: readonly string[];
  /** Names that are not recorded, but inferred. */
  readonly inferred?: readonly string[] | undefined;
  readonly route: ResourceRoute;
}

function Links({ title, names: recorded, inferred = [], route }: LinksProps) {
  const names = [...recorded, ...inferred];
  const [shown, setShown] = useState(STEP);
  const { app, stage } = route;
  return (
    <section>
      <h3>
        {title} <span class="count">{count(names.length)}</span>
      </h3>
      {names.length === 0 ? (
        <p class="soft">none</p>
      ) : (
        <ul class="links">
          {names.slice(0, shown).map((fqn, index) => (
            <li key={fqn}>
              <a href={fragmentOf({ page: "resource", app, stage, fqn, tab: "values" })}>
                {visible(belowStage(fqn, app, stage).slice(0, 200))}
              </a>
              {index >= recorded.length && (
                <span class="soft" title="The state does not say for certain: it is inferred from order and values">
                  {" "}
                  inferred
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {names.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP * 8)}>
          Show more ({count(names.length - shown)})
        </button>
      )}
    </section>
  );
}
