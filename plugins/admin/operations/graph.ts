/** The resources of a stage as a graph: what stands where, in which order, and what needs what. */

import { folderOf, idOf, isPending, type ResourceRecord } from "../../../core/contract/index.js";
import { comparePositions, inferredDependencies } from "../../../core/order/index.js";
import { fqnOf } from "./recorded-name.js";

/** What is recorded of a stage, as a graph. */
export interface Graph {
  readonly app: string;
  readonly stage: string;
  /** In the order in which they are made. */
  readonly nodes: readonly GraphNode[];
  /** Scopes, and resources with resources of their own; a group comes after the one that it is in. */
  readonly groups: readonly GraphGroup[];
  readonly edges: readonly GraphEdge[];
}

/** A resource. */
export interface GraphNode {
  /** Letters and digits, for formats that need a plain name. */
  readonly name: string;
  readonly id: string;
  readonly fqn: string;
  readonly kind: string;
  /** From 1. */
  readonly order: number;
  /** `ready`, `pending`: begun and not finished, or `replaced`: an old copy that is still to be deleted. */
  readonly status: "ready" | "pending" | "replaced";
  /** Name of the group that it is in; undefined: of none. */
  readonly group?: string;
}

/** A scope, or a resource that has others in it. */
export interface GraphGroup {
  readonly name: string;
  readonly id: string;
  readonly fqn: string;
  /** Set where it is that of a resource. */
  readonly kind?: string;
  readonly group?: string;
}

/** What is there first, and what needs it. */
export interface GraphEdge {
  /** Fully qualified name of what is there first. */
  readonly from: string;
  /** Fully qualified name of what needs it. */
  readonly to: string;
  /** True where the reference is recorded. False where it is seen by order and values: it was likely made from what was awaited. */
  readonly certain: boolean;
}

export function graphOf(app: string, stage: string, records: Iterable<ResourceRecord>): Graph {
  const at = { app, stage };
  const sorted = [...records].sort((a, b) => comparePositions(a.ready, b.ready));
  const kinds = new Map(sorted.map(({ key, kind }) => [key, kind]));
  const groups = new Map<string, GraphGroup>();
  const groupAt = (path: string): string | undefined => {
    if (path === "") return undefined;
    const known = groups.get(path);
    if (known) return known.name;
    const outer = groupAt(folderOf(path));
    const kind = kinds.get(path);
    const name = `g${groups.size + 1}`;
    groups.set(path, {
      name,
      id: idOf(path),
      fqn: fqnOf(at, path),
      ...(kind && { kind }),
      ...(outer && { group: outer }),
    });
    return name;
  };
  for (const { key } of sorted) groupAt(folderOf(key));
  const nodes = sorted.map((record, index): GraphNode => {
    const { key, kind } = record;
    // A resource with resources of its own stands with them.
    const group = groups.get(key)?.name ?? groupAt(folderOf(key));
    const status = record.replaced ? "replaced" : isPending(record) ? "pending" : "ready";
    const fqn = fqnOf(at, key);
    return { name: `r${index + 1}`, id: idOf(key), fqn, kind, order: index + 1, status, ...(group && { group }) };
  });
  return { app, stage, nodes, groups: [...groups.values()], edges: edgesOf(sorted, (key) => fqnOf(at, key)) };
}

function edgesOf(records: readonly ResourceRecord[], nameOf: (key: string) => string): readonly GraphEdge[] {
  const keys = new Map(records.map(({ uid, key }) => [uid, key]));
  const edges = new Map<string, GraphEdge>();
  const current = records.filter(({ replaced }) => !replaced);
  const likely = inferredDependencies(current);
  for (const { uid, key, refs = [] } of current) {
    for (const source of new Set([...refs, ...(likely.get(uid) ?? [])])) {
      const needed = keys.get(source);
      if (needed === undefined || needed === key) continue;
      const certain = refs.includes(source);
      edges.set(JSON.stringify([needed, key]), { from: nameOf(needed), to: nameOf(key), certain });
    }
  }
  return [...edges.values()];
}

/** The plain names of the nodes that an edge joins; what is replaced has no edges. */
export function nodeNames({ nodes }: Graph): ReadonlyMap<string, string> {
  return new Map(nodes.filter(({ status }) => status !== "replaced").map(({ fqn, name }) => [fqn, name]));
}
