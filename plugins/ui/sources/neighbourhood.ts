/** What stands around a resource in the graph of its stage. Pure. */
import type { Graph, GraphEdge, GraphNode } from "../../admin/index.js";
import type { Neighbourhood } from "../api/index.js";

const MOST_NODES = 200;

type Statuses = ReadonlyMap<string, Neighbourhood["nodes"][number]["status"]>;

/** Edges of each node, both ways. */
export type Adjacency = ReadonlyMap<string, readonly GraphEdge[]>;

export function adjacencyOf({ edges }: Graph): Adjacency {
  const all = new Map<string, GraphEdge[]>();
  const note = (fqn: string, edge: GraphEdge): void => {
    const known = all.get(fqn);
    if (known) known.push(edge);
    else all.set(fqn, [edge]);
  };
  for (const edge of edges) {
    note(edge.from, edge);
    note(edge.to, edge);
  }
  return all;
}

/** The nearest first, the resource itself before them. */
export function neighbourhoodOf(
  fqn: string,
  {
    adjacency,
    nodes,
    statuses,
  }: { readonly adjacency: Adjacency; readonly nodes: readonly GraphNode[]; readonly statuses: Statuses },
): Neighbourhood {
  const near = new Set([fqn]);
  // A set is gone through in the order in which it grows.
  for (const one of near) for (const { from, to } of adjacency.get(one) ?? []) near.add(from === one ? to : from);
  const shown = [...near].slice(0, MOST_NODES);
  const indices = new Map(shown.map((one, index) => [one, index]));
  const kinds = new Map(nodes.filter((node) => indices.has(node.fqn)).map((node) => [node.fqn, node.kind]));
  const edges = new Set(shown.flatMap((one) => adjacency.get(one) ?? []));
  return {
    nodes: shown.map((one) => ({ fqn: one, kind: kinds.get(one) ?? "", status: statuses.get(one) ?? "ready" })),
    edges: [...edges].flatMap(({ from, to, certain }) => {
      const [start, end] = [indices.get(from), indices.get(to)];
      return start === undefined || end === undefined ? [] : [{ from: start, to: end, certain }];
    }),
    left: near.size - shown.length,
  };
}
