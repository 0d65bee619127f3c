/** Converts recorded resources into rows in columns, and into counts. Pure. */
import type { RecordStatus } from "../../../core/contract/index.js";
import type {
  EndedRun,
  Graph,
  GraphEdge,
  GraphNode,
  Holder,
  LastChanges,
  ListedResource,
  SealStatus,
} from "../../admin/index.js";
import type { Neighbourhood, ResourceRows, ResourceView, StageChanges, StageHead } from "../api/index.js";

/** The most rows in an answer. */
const MOST_ROWS = 10_000;
/** Longest error in a row in characters, and the most errors of a stage. */
const LONGEST_ERROR = 240;
const MOST_PROBLEMS = 3;

export interface Range {
  readonly from: number;
  readonly limit: number;
}

/** @param root of FQNs: app and stage */
export function rowsOf(
  {
    seq,
    resources,
    root,
  }: { readonly seq: number; readonly resources: readonly ListedResource[]; readonly root: string },
  { from, limit }: Range,
): ResourceRows {
  const chosen = resources.slice(from, from + Math.min(limit, MOST_ROWS));
  const [kinds, statuses] = [new Names<string>(), new Names<RecordStatus>()];
  const indicesOf = (is: (resource: ListedResource) => boolean): readonly number[] =>
    chosen.flatMap((resource, index) => (is(resource) ? [index] : []));
  return {
    seq,
    total: resources.length,
    from,
    paths: chosen.map(({ fqn }) => fqn.slice(root.length + 1)),
    kinds: chosen.map(({ kind }) => kinds.indexOf(kind)),
    kindNames: kinds.all,
    statuses: chosen.map(({ status }) => statuses.indexOf(status)),
    statusNames: statuses.all,
    replaced: indicesOf(({ replaced }) => replaced),
    protected: indicesOf(({ protect }) => protect),
    failed: indicesOf(hasFailed),
    notDeleted: indicesOf(({ deleteFailed }) => deleteFailed !== undefined),
    errors: [
      ...chosen.flatMap(({ error }) => error?.slice(0, LONGEST_ERROR) ?? []),
      ...chosen.flatMap(({ deleteFailed }) => deleteFailed?.message.slice(0, LONGEST_ERROR) ?? []),
    ],
  };
}

export function changesOf(
  { seq, resources }: { readonly seq: number; readonly resources: readonly ListedResource[] },
  { copies, last }: LastChanges,
): StageChanges {
  return {
    seq,
    copies: copies.map(({ seq: at, run }) => ({ seq: at, ...(run && { run }) })),
    // An old copy has the name of its replacement.
    last: resources.map(({ fqn, replaced }) => (replaced ? -1 : (last.get(fqn) ?? -1))),
  };
}

function problemsOf(resources: readonly ListedResource[]): StageHead["problems"] {
  const problems: StageHead["problems"][number][] = [];
  for (const { fqn, error, deleteFailed } of resources) {
    const message = error ?? deleteFailed?.message;
    if (message !== undefined) problems.push({ fqn, message: message.slice(0, LONGEST_ERROR) });
    if (problems.length === MOST_PROBLEMS) break;
  }
  return problems;
}

function hasFailed({ error }: ListedResource): boolean {
  return error !== undefined;
}

class Names<Name extends string> {
  readonly all: Name[] = [];
  readonly #indices = new Map<Name, number>();

  indexOf(name: Name): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    this.#indices.set(name, this.all.length);
    return this.all.push(name) - 1;
  }
}

export interface Counted {
  readonly app: string;
  readonly stage: string;
  readonly seq: number;
  readonly resources: readonly ListedResource[];
  readonly holder: Holder | undefined;
  readonly lastRun: EndedRun | undefined;
  readonly seal: SealStatus;
}

export function headOf({ app, stage, seq, resources, holder, lastRun, seal }: Counted): StageHead {
  const statuses: Partial<Record<RecordStatus, number>> = {};
  const kinds = new Map<string, number>();
  for (const { status, kind } of resources) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const sorted = [...kinds].map(([kind, count]) => ({ kind, count })).sort((one, other) => other.count - one.count);
  const failed = resources.filter(hasFailed).length;
  const counts = { resources: resources.length, statuses, failed, problems: problemsOf(resources), kinds: sorted };
  return { app, stage, seq, ...counts, seal, ...(holder && { holder }), ...(lastRun && { lastRun }) };
}

const MOST_NODES = 200;

type Statuses = ReadonlyMap<string, Neighbourhood["nodes"][number]["status"]>;

/** Edges of each node, in both directions. */
export type Adjacency = ReadonlyMap<string, readonly GraphEdge[]>;

/** Returns the edges of each resource in the graph of its stage. Pure. */
export function adjacencyOf({ edges }: Pick<Graph, "edges">): Adjacency {
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

/** Returns the names at the other ends of uncertain edges. Pure. */
export function inferredOf(fqn: string, adjacency: Adjacency, most: number): NonNullable<ResourceView["inferred"]> {
  const uncertain = (adjacency.get(fqn) ?? []).filter(({ certain }) => !certain);
  const dependsOn = uncertain.flatMap(({ from, to }) => (to === fqn ? [from] : []));
  const dependents = uncertain.flatMap(({ from, to }) => (from === fqn ? [to] : []));
  return { dependsOn: dependsOn.slice(0, most), dependents: dependents.slice(0, most) };
}

interface Around {
  readonly adjacency: Adjacency;
  readonly nodes: readonly Pick<GraphNode, "fqn" | "kind">[];
  readonly statuses: Statuses;
  /** The farthest dependencies and dependents. Default: all. */
  readonly steps?: number | undefined;
}

/**
 * Returns the resource itself, then its nearest dependencies and dependents. Other dependents of its dependencies are
 * not among them.
 */
export function neighbourhoodOf(
  fqn: string,
  { adjacency, nodes, statuses, steps = Number.POSITIVE_INFINITY }: Around,
): Neighbourhood {
  const distances = new Map([...stepsTo(fqn, adjacency, "from"), ...stepsTo(fqn, adjacency, "to")]);
  const near = [...distances].sort(([, one], [, other]) => one - other);
  const shown = near.filter(([, distance]) => distance <= steps).slice(0, MOST_NODES);
  const indices = new Map(shown.map(([one], index) => [one, index]));
  const kinds = new Map(nodes.filter((node) => indices.has(node.fqn)).map((node) => [node.fqn, node.kind]));
  const edges = new Set(shown.flatMap(([one]) => adjacency.get(one) ?? []));
  return {
    nodes: shown.map(([one]) => ({ fqn: one, kind: kinds.get(one) ?? "", status: statuses.get(one) ?? "ready" })),
    edges: [...edges].flatMap(({ from, to, certain }) => {
      const [start, end] = [indices.get(from), indices.get(to)];
      return start === undefined || end === undefined ? [] : [{ from: start, to: end, certain }];
    }),
    left: near.length - shown.length,
  };
}

/** Returns the distance of each resource that edges reach in one direction. @param end the end that they lead to */
function stepsTo(fqn: string, adjacency: Adjacency, end: "from" | "to"): ReadonlyMap<string, number> {
  const start = end === "from" ? "to" : "from";
  const distances = new Map([[fqn, 0]]);
  // The loop visits entries that are added meanwhile.
  for (const [one, distance] of distances) {
    for (const edge of adjacency.get(one) ?? []) {
      if (edge[start] === one && !distances.has(edge[end])) distances.set(edge[end], distance + 1);
    }
  }
  return distances;
}
