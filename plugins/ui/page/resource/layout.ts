/** Places the nodes of a neighbourhood: dependencies on the left of their dependents. Pure. */
import { Graph, layout as place } from "@dagrejs/dagre";
import type { Neighbourhood } from "../../api/index.js";

export interface Placed {
  readonly nodes: readonly { readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly d: string; readonly isCertain: boolean }[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 216, height: 52 };

export function placed({ nodes, edges }: Neighbourhood): Placed {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 64, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  nodes.forEach((_, index) => {
    graph.setNode(`${index}`, { ...NODE });
  });
  for (const { from, to } of edges) if (from !== to) graph.setEdge(`${from}`, `${to}`, {});
  place(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    nodes: nodes.map((_, index) => {
      const { x = 0, y = 0 } = graph.node(`${index}`);
      return { x: x - NODE.width / 2, y: y - NODE.height / 2 };
    }),
    edges: edges.flatMap(({ from, to, certain }) => {
      if (from === to) return [];
      return [{ d: curve(graph.edge(`${from}`, `${to}`).points ?? []), isCertain: certain }];
    }),
    width,
    height,
  };
}

/** Returns a curve through the given points, without corners. */
function curve(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first.x} ${first.y}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (!next) path += `L${point.x} ${point.y}`;
    else path += `Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  return path;
}
