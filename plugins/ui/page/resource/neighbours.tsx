/** The dependencies and dependents of a resource, up to a number of steps away. */
import { useState } from "preact/hooks";
import type { Neighbourhood } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { Loading, Trouble } from "../parts/notice.js";
import { counted } from "../parts/time.js";
import type { ResourceRoute } from "../router.js";
import { Drawing } from "./drawing.js";

const STEPS = [1, 2, 3, undefined] as const;

/** Kept from one resource to the next. */
let last: (typeof STEPS)[number] = 1;

export function Neighbours({ route }: { readonly route: ResourceRoute }) {
  const { app, stage, fqn } = route;
  const [steps, setSteps] = useState(last);
  const depth = steps === undefined ? "" : `&steps=${steps}`;
  const path = `${stagePath(app, stage)}/neighbours?fqn=${encodeURIComponent(fqn)}${depth}`;
  const { data, failure, isLoading, reload } = useAnswer<Neighbourhood>(path);
  return (
    <>
      <fieldset class="toolbar choices">
        <legend class="soft">
          Steps<span class="unseen"> from this resource</span>
        </legend>
        {STEPS.map((one) => (
          <button
            key={one}
            type="button"
            class="chip"
            aria-pressed={one === steps}
            onClick={() => {
              last = one;
              setSteps(one);
            }}
          >
            {one ?? "All"}
          </button>
        ))}
      </fieldset>
      {failure && <Trouble failure={failure} onRetry={reload} />}
      {isLoading && <Loading label="Loading the graph" />}
      {data && (
        <>
          <Drawing data={data} route={route} />
          <p class="soft small">{legendOf(data)}</p>
        </>
      )}
    </>
  );
}

function legendOf({ nodes, edges, left }: Neighbourhood): string {
  if (nodes.length === 1 && left === 0) return "It depends on no other resource, and none depends on it.";
  return [
    "Dependencies are on the left, dependents on the right.",
    ...(edges.every(({ certain }) => certain)
      ? []
      : ["A dashed line is a possible dependency: the state does not say for certain."]),
    ...(left > 0 ? [`${counted(left, "resource")} further away ${left === 1 ? "is" : "are"} not drawn.`] : []),
  ].join(" ");
}
