/** The resources of a stage as a graph, with their groups, order and dependencies. */

import { folderOf, idOf, isPending, type ResourceRecord } from "../../../core/contract/index.js";
import { comparePositions, inferredDependencies } from "../../../core/order/index.js";
import { fqnOf } from "./recorded-name.js";

/** The recorded resources of a stage, as a graph. */
export interface Graph {
  readonly app: string;
  readonly stage: string;
  /** In the order of their creation. */
  readonly nodes: readonly GraphNode[];
  /** Scopes, and resources with children; a group comes after the group that contains it. */
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
  /** Position in the order of creation, from 1. */
  readonly order: number;
  /** `ready`, `pending` (begun and not finished) or `replaced` (an old copy that is not deleted yet). */
  readonly status: "ready" | "pending" | "replaced";
  /** Name of its group; absent if it is in none. */
  readonly group?: string;
}

/** A scope, or a resource with children. */
export interface GraphGroup {
  readonly name: string;
  readonly id: string;
  readonly fqn: string;
  /** Kind of the resource; absent for a scope. */
  readonly kind?: string;
  readonly group?: string;
}

/** A dependency, from the resource that exists first to the one that needs it. */
export interface GraphEdge {
  /** Fully qualified name of the dependency. */
  readonly from: string;
  /** Fully qualified name of the dependent. */
  readonly to: string;
  /**
   * True if the reference is recorded. False if it is inferred from order and values: the program awaited one before
   * the other.
   */
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
    // A resource with children is in their group.
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

/** Maps FQNs to the plain names of the nodes; replaced copies have no edges and are left out. */
export function nodeNames({ nodes }: Graph): ReadonlyMap<string, string> {
  return new Map(nodes.filter(({ status }) => status !== "replaced").map(({ fqn, name }) => [fqn, name]));
}
