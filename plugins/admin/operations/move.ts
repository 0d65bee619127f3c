/** Renames a resource, or a scope with everything in it, in the state. */

import { below, checkName, EngineError, joined } from "../../../core/base/index.js";
import {
  folderOf,
  isPending,
  isScopeOwner,
  type ResourceRecord,
  type StateStore,
} from "../../../core/contract/index.js";
import { descendantsOf } from "../../../core/order/index.js";
import { movedData, movedRecord, renamed } from "../../../core/rename/index.js";
import type { App } from "../../../core/run/index.js";
import type { Change } from "../../../core/state/index.js";
import { shellWord } from "../../internal/text/shell-word.js";
import { inOwnRun } from "./own-run.js";
import { fqnOf, knownKey, knownScope, type Naming, notRecorded, pathIn } from "./recorded-name.js";

/** Result of a move, or its planned result. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  /** Former FQNs of the resources, including those in the scope or below the resource. */
  readonly resources: readonly string[];
}

/** Options of {@link StageAdmin.move}. */
export interface MoveOptions {
  /** FQN, path below the stage, or id. A name that ends in `/` means a scope, even if a resource has the same name. */
  readonly from: string;
  /** FQN, path below the stage, or an id of the same scope. */
  readonly to: string;
  /** Moves pending resources as well. */
  readonly force?: boolean;
  /** Called before the move; cancels by throwing. */
  approve?(what: Moved): Promise<void> | void;
}

/** The records and scopes to rename. */
interface Source {
  readonly path: string;
  readonly records: readonly ResourceRecord[];
  /** True if scopes at its path or below are renamed with it. */
  readonly hasScopes: boolean;
}

/**
 * Moves like an alias: the records stay as they are, and values that a plugin bound to the old name are bound to the
 * new one.
 *
 * @throws EngineError `NOT_RECORDED`; `INVALID_ARGUMENT`, `INVALID_NAME` for an invalid new name; `DUPLICATE_ID` if it
 * is taken; `UNRESOLVED` if a resource is pending; `PASSWORD_REQUIRED`, `WRONG_PASSWORD`, `STATE_LOCKED`, `STATE_MOVED`
 */
export function move(app: App, store: StateStore, { from, to, force = false, approve }: MoveOptions): Promise<Moved> {
  return inOwnRun(app, store, { command: "move" }, async (own) => {
    const naming: Naming = { app: own.root.appName, stage: own.root.stage, contents: own.ledger.readAll() };
    const source = sourceOf(naming, from);
    const target = targetOf(naming, source, to);
    if (!force) refusePending(naming, source);
    const moved = {
      from: fqnOf(naming, source.path),
      to: fqnOf(naming, target),
      resources: source.records.map(({ key }) => fqnOf(naming, key)),
    };
    const changes: Change[] = [];
    for (const record of source.records) {
      changes.push(...(await movedRecord(own, record, renamed(record.key, source.path, target))));
    }
    if (source.hasScopes) changes.push(...(await movedData(own, source.path, target)));
    await approve?.(moved);
    await own.ledger.commit(changes, "now");
    return moved;
  });
}

function sourceOf(naming: Naming, name: string): Source {
  const all = [...naming.contents.records.values()];
  const key = name.endsWith("/") ? undefined : knownKey(naming, name);
  if (key !== undefined) {
    const copies = all.filter((record) => record.key === key);
    const uids = copies.map(({ uid }) => uid);
    const children = descendantsOf(naming.contents, uids);
    // A scope with the same name as a resource without children is unrelated to it.
    return { path: key, records: [...copies, ...children], hasScopes: children.length > 0 };
  }
  const path = knownScope(naming, name);
  if (path === undefined) throw notRecorded(naming, name);
  if (path === "")
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"${name}" is the whole stage. Its name comes from the program and cannot change here.`,
    );
  return { path, records: all.filter((record) => record.key.startsWith(`${path}/`)), hasScopes: true };
}

function targetOf(naming: Naming, source: Source, name: string): string {
  const path = name.includes("/") ? pathIn(naming, name) : joined(folderOf(source.path), name);
  if (path === undefined || path === "") {
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"${name}" is not a name in "${fqnOf(naming, "")}". A resource or scope cannot move to another stage or become a stage.`,
    );
  }
  for (const part of path.split("/")) checkName("id", part);
  const [before, after] = [source.path, path].map((one) => fqnOf(naming, one));
  if (path === source.path) throw new EngineError("INVALID_ARGUMENT", `"${before}" already has that name.`);
  if (below(source.path)(path))
    throw new EngineError("INVALID_ARGUMENT", `"${before}" cannot move into itself, to "${after}".`);
  if (isTaken(naming, source, path)) {
    throw new EngineError(
      "DUPLICATE_ID",
      `"${before}" cannot become "${after}": that name is taken in the state. Move the resource or scope with that name first, or remove it from the state: engine state forget ${shellWord(after ?? path)}`,
      { fqn: after },
    );
  }
  return path;
}

function isTaken({ contents }: Naming, { hasScopes }: Source, path: string): boolean {
  const records = [...contents.records.values()];
  if (!hasScopes) return records.some(({ key }) => key === path);
  const inside = below(path);
  return (
    records.some(({ key }) => inside(key)) ||
    [...contents.data.keys()].some((owner) => isScopeOwner(owner) && inside(owner.slice(1)))
  );
}

/** The next run would not find the pending action under the new name. */
function refusePending(naming: Naming, { records }: Source): void {
  const pending = records.filter(isPending).map(({ key }) => `"${fqnOf(naming, key)}"`);
  if (pending.length === 0) return;
  throw new EngineError(
    "UNRESOLVED",
    `${pending.join(", ")} ${pending.length === 1 ? "is" : "are"} pending: the last action was interrupted or failed. Run "engine up" first, or move ${pending.length === 1 ? "it" : "them"} anyway (--force).`,
  );
}
