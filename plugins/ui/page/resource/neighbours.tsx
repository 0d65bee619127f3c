/** What a resource needs, and what needs it, drawn. */
import { useMemo } from "preact/hooks";
import type { Neighbourhood } from "../../api/index.js";
import { stagePath } from "../data/ask.js";
import { useAnswer } from "../data/use-answer.js";
import { counted } from "../parts/format.js";
import { Empty, Loading, Trouble } from "../parts/notice.js";
import type { ResourceRoute } from "../router.js";
import { Drawing } from "./drawing.js";
import { placed } from "./layout.js";

export function Neighbours({ route }: { readonly route: ResourceRoute }) {
  const { app, stage, fqn } = route;
  const path = `${stagePath(app, stage)}/neighbours?fqn=${encodeURIComponent(fqn)}`;
  const { data, failure, isLoading, reload } = useAnswer<Neighbourhood>(path);
  const places = useMemo(() => data && placed(data), [data]);
  if (failure) return <Trouble failure={failure} onRetry={reload} />;
  if (isLoading || !data || !places) return <Loading label="Loading the graph" />;
  if (data.nodes.length === 0) return <Empty icon="scope" title="Not recorded any more" />;
  return (
    <>
      <Drawing data={data} places={places} route={route} />
      <p class="soft">
        What is needed stands on the left. Dashed: it may be needed; what is recorded does not say for certain.
        {data.left > 0 && ` ${counted(data.left, "resource")} further away are not drawn.`}
      </p>
    </>
  );
}
