/** Lists the records without their values, as rows and as a tree. Pure. */

import {
  type DeletionCause,
  type FailedDeletion,
  folderOf,
  idOf,
  type RecordStatus,
  type ResourceRecord,
} from "../../../core/contract/index.js";
import type { Contents } from "../../../core/state/index.js";
import { byName, compare } from "../../internal/text/name-order.js";
import { fqnOf, type Naming, patternNamed, scopesIn } from "./recorded-name.js";

/** The record of a resource, without its values. */
export interface ListedResource {
  readonly fqn: string;
  readonly kind: string;
  /** Every status except "ready" is pending: an action without a result. */
  readonly status: RecordStatus;
  /** Start of the run that left it pending, as ISO 8601. */
  readonly since?: string;
  /** Message of the failure that left it pending. */
  readonly error?: string;
  /** The command or change that asked for the pending delete. */
  readonly deletedBy?: DeletionCause;
  /** Its last delete failed: message, time, attempts. */
  readonly deleteFailed?: FailedDeletion;
  readonly protect: boolean;
  readonly retain: boolean;
  /** True for an old copy that is not deleted yet. */
  readonly replaced: boolean;
}

/** A scope, a resource or the stage, with its contents. */
export interface TreeNode {
  /** The last part of its FQN; for the stage, the whole FQN. */
  readonly name: string;
  readonly fqn: string;
  /** Absent for a scope. */
  readonly resource?: ListedResource;
  /** Sorted by name. */
  readonly children: readonly TreeNode[];
}

/** Returns the scopes and resources as a tree. */
export function treeOf(naming: Naming): TreeNode {
  const rows = new Map<string, ListedResource>();
  for (const record of naming.contents.records.values()) {
    // An old copy has the name of its replacement, which goes first.
    if (!record.replaced || !rows.has(record.key)) rows.set(record.key, rowOf(naming, record));
  }
  const inside = new Map<string, string[]>();
  for (const path of new Set([...scopesIn(naming.contents), ...rows.keys()])) {
    const folder = folderOf(path);
    const siblings = inside.get(folder);
    if (siblings) siblings.push(path);
    else inside.set(folder, [path]);
  }
  const nodeAt = (path: string): TreeNode => {
    const resource = rows.get(path);
    const children = (inside.get(path) ?? []).sort(compare).map(nodeAt);
    const fqn = fqnOf(naming, path);
    return { name: path === "" ? fqn : idOf(path), fqn, ...(resource ? { resource } : {}), children };
  };
  return nodeAt("");
}

/** Returns rows sorted by name. @throws EngineError `NOT_RECORDED` for a pattern that matches nothing */
export function listed(naming: Naming, patterns: readonly string[] = []): readonly ListedResource[] {
  const records = [...naming.contents.records.values()];
  const chosen = patterns.map((text) => patternNamed(naming, text));
  const isChosen = ({ key }: ResourceRecord): boolean => chosen.length === 0 || chosen.some((one) => one.selects(key));
  return byName(records.filter(isChosen), ({ key }) => key).map((record) => rowOf(naming, record));
}

/** Returns the row of one record. */
export function rowOf(at: Omit<Naming, "contents">, record: ResourceRecord): ListedResource {
  const { key, kind, status, since, error, deletion, deleteFailed, protect, retain, replaced } = record;
  return {
    fqn: fqnOf(at, key),
    kind,
    status,
    ...(since === undefined ? {} : { since }),
    ...(error === undefined ? {} : { error }),
    ...(deletion === undefined ? {} : { deletedBy: deletion.by }),
    ...(deleteFailed === undefined ? {} : { deleteFailed }),
    protect: protect === true,
    retain: retain === true,
    replaced: replaced === true,
  };
}

/** Returns the FQNs of the given uids that are still recorded. */
export function fqnsOf(
  at: Omit<Naming, "contents">,
  { records }: Contents,
  uids: readonly string[],
): readonly string[] {
  return uids
    .flatMap((uid) => records.get(uid)?.key ?? [])
    .map((key) => fqnOf(at, key))
    .sort(compare);
}
