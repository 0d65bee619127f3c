/** What is recorded, without its values: as rows, one for each record, and as a tree. Pure. */

import {
  type DeletionCause,
  type FailedDeletion,
  folderOf,
  idOf,
  type RecordStatus,
  type ResourceRecord,
} from "../../../core/contract/index.js";
import type { Contents } from "../../../core/state/index.js";
import { fqnOf, type Naming, patternNamed, scopesIn } from "./recorded-name.js";

/** What is recorded of a resource, without its values. */
export interface ListedResource {
  readonly fqn: string;
  readonly kind: string;
  /** All but "ready" are pending: an intent without a result. */
  readonly status: RecordStatus;
  /** Start of the run that left it pending, as ISO 8601. */
  readonly since?: string;
  /** Message of the failure that left it pending. */
  readonly error?: string;
  /** Which command or change asked for the delete that is pending. */
  readonly deletedBy?: DeletionCause;
  /** Its last delete failed: message, time, attempts. */
  readonly deleteFailed?: FailedDeletion;
  readonly protect: boolean;
  readonly retain: boolean;
  /** An old copy that waits for its deletion. */
  readonly replaced: boolean;
}

/** A scope, a resource, or the stage, with what is in it. */
export interface TreeNode {
  /** The last part of its FQN; of the stage, all of it. */
  readonly name: string;
  readonly fqn: string;
  /** Absent for a scope. */
  readonly resource?: ListedResource;
  /** By name. */
  readonly children: readonly TreeNode[];
}

/** Scopes and resources as they are nested. */
export function treeOf(naming: Naming): TreeNode {
  const rows = new Map<string, ListedResource>();
  for (const record of naming.contents.records.values()) {
    // An old copy has the name of its successor.
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

/** By name. @throws EngineError `NOT_RECORDED` for a pattern that matches nothing */
export function listed(naming: Naming, patterns: readonly string[] = []): readonly ListedResource[] {
  const records = [...naming.contents.records.values()];
  const chosen = patterns.map((text) => patternNamed(naming, text));
  const isChosen = ({ key }: ResourceRecord): boolean => chosen.length === 0 || chosen.some((one) => one.selects(key));
  return byName(records.filter(isChosen)).map((record) => rowOf(naming, record));
}

/** The row of one record. */
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

/** As {@link compare} has it; what a record is sorted by is made once. */
function byName(records: readonly ResourceRecord[]): readonly ResourceRecord[] {
  const named = records.map((record) => ({ record, name: sortedBy(record.key) }));
  named.sort((one, other) => (one.name < other.name ? -1 : one.name === other.name ? 0 : 1));
  return named.map(({ record }) => record);
}

/** Name by name, so that what is in a scope stands together. */
export function compare(one: string, other: string): number {
  const [left, right] = [sortedBy(one), sortedBy(other)];
  return left < right ? -1 : left === right ? 0 : 1;
}

function sortedBy(key: string): string {
  return key.replaceAll("/", "\0");
}

/** FQNs of records, by their uids; of those that are still recorded. */
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
