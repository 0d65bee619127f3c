/** Restores the state from a copy. The journal moves forward, as with any other change. */

import { EngineError, isEngineError } from "../../../core/base/index.js";
import { pluginOwner, type Sealer } from "../../../core/contract/index.js";
import {
  type Change,
  type Checkpoint,
  type Contents,
  checkNames,
  type Head,
  keptNames,
  type LedgerLocation,
  type Loaded,
  load,
  locationOf,
  lookedAt,
  type OneShotSession,
  type OneShotSettings,
  oneShotSession,
  readCheckpoint,
  same,
  writeCheckpoint,
} from "../../../core/state/index.js";
import { compare } from "../../internal/text/name-order.js";
import { shellWord } from "../../internal/text/shell-word.js";
import { fqnOf } from "./recorded-name.js";
import { type Copy, proveCopy } from "./verify/prove-copy.js";
import { keptAt } from "./view/kept-copy.js";

/** Result of a restore or push, or its planned result. */
export interface Restored {
  /** Number of records and data values that were set or removed to match the copy. 0: they matched before. */
  readonly changes: number;
  /** FQNs that are no longer recorded; the real resources may still exist. */
  readonly forgotten: readonly string[];
}

/** Options of {@link StageAdmin.restore}. */
export interface Restoring {
  /** Called before anything is written; cancels by throwing. Not called if nothing differs. */
  approve?(what: Restored): Promise<void> | void;
  /** Accepts a copy without a seal although the state has one. */
  readonly unverified?: boolean;
}

/**
 * Restores the state of a stage as it was when entry `seq` was the newest: a session of its own writes the difference
 * as one entry. The real resources stay as they are.
 *
 * @throws EngineError `NOT_RECORDED` if there is no copy of that number, `STATE_IDENTITY` if it belongs to another
 * ledger, `STATE_CORRUPT` if any byte differs from the one written, `STATE_FORGED` if it was written without its key,
 * all that `approve` throws, and everything that {@link oneShotSession} throws
 */
export function restore(settings: OneShotSettings, seq: number, options: Restoring = {}): Promise<Restored> {
  const location = locationOf(settings);
  return becomeCopy(settings, { ...options, command: "restore" }, ({ head }) => readCopy(location, head, seq));
}

/** Writes the changes that lead from the present state to a copy. */
async function becomeCopy(
  settings: OneShotSettings,
  { command, lineage, approve, unverified = false }: Restoring & Pick<OneShotSession, "command" | "lineage">,
  copyFor: (loaded: Loaded) => Promise<Copy> | Copy,
): Promise<Restored> {
  const location = locationOf(settings);
  let restored: Restored = { changes: 0, forgotten: [] };
  let sealer: Sealer | undefined;
  await oneShotSession(settings, {
    command,
    lineage,
    key: (changes) => bringing(location, changes, sealer),
    async changes(loaded) {
      const proven = await proveCopy(location, loaded, await copyFor(loaded), unverified);
      const copy = proven.contents;
      sealer = proven.sealer;
      checkNames(settings, copy);
      const changes = changesBetween(loaded.contents, copy);
      // The copy of a stage without contents still begins a new state under its identity.
      if (changes.length === 0) return isBeginning(loaded, lineage) ? changes : undefined;
      refuseMoved(settings, loaded.contents, copy);
      const gone = [...loaded.contents.records.values()].filter(({ uid }) => !copy.records.has(uid));
      restored = { changes: changes.length, forgotten: gone.map(({ key }) => fqnOf(settings, key)) };
      await approve?.(restored);
      return changes;
    },
  });
  return restored;
}

function isBeginning({ head }: Loaded, lineage: string | undefined): boolean {
  return head.lineage === undefined && lineage !== undefined;
}

/** Two stages must never have one record: each would delete what the other needs. */
function refuseMoved(at: OneShotSettings, present: Contents, copy: Contents): void {
  const names = keptNames(present).filter(({ moved }) => moved && copy.records.has(moved.uid));
  const [name, ...others] = names.sort((one, other) => compare(one.key, other.key));
  if (!name?.moved) return;
  const { to } = name.moved;
  const [app, stage] = [to.slice(0, to.lastIndexOf("/")), to.slice(to.lastIndexOf("/") + 1)];
  const all = [name, ...others].map(({ key }) => `"${fqnOf(at, key)}"`).join(", ");
  const fqn = fqnOf(at, name.key);
  const keys = [...new Set(names.filter(({ moved }) => moved?.to === to).map(({ key }) => shellWord(key)))].join(" ");
  throw new EngineError(
    "DUPLICATE_ID",
    `${all} ${others.length === 0 ? "has" : "have"} moved to "${to}" since that copy was made, and two stages cannot own one resource. Nothing was changed. Move back first: engine state move ${keys} --app ${shellWord(app)} --stage ${shellWord(stage)} --to-stage ${shellWord(at.stage)}. If "${to}" does not have it any more: engine state forget --retained ${shellWord(fqn)}`,
    { fqn },
  );
}

function bringing({ seal }: LedgerLocation, changes: readonly Change[], sealer: Sealer | undefined) {
  const { plugin, key } = seal?.recorded ?? { plugin: "", key: "" };
  const owner = pluginOwner(plugin);
  const change = changes.find((one) => one.op === "data" && one.owner === owner && one.key === key);
  return change && sealer && { change, sealer };
}

async function readCopy(location: LedgerLocation, head: Head, seq: number): Promise<Copy> {
  const { key, checkpoint } = await keptAt(location, head, seq);
  return { source: key, checkpoint, purposes: ["checkpoint"] };
}

/** Removals come first, so that a key is free for the record that gets it. */
function changesBetween(from: Contents, to: Contents): readonly Change[] {
  const gone = [...from.records.keys()].filter((uid) => !to.records.has(uid));
  const put = [...to.records.values()].filter((record) => !same(from.records.get(record.uid), record));
  return [
    ...gone.map((uid): Change => ({ op: "drop", uid })),
    ...put.map((record): Change => ({ op: "put", record })),
    ...dataBetween(from, to, new Set(gone)),
  ];
}

/** @param dropped owners whose data is removed with their record */
function* dataBetween(from: Contents, to: Contents, dropped: ReadonlySet<string>): Generator<Change> {
  for (const [owner, values] of from.data) {
    const kept = to.data.get(owner);
    if (!kept && !dropped.has(owner)) yield { op: "forget", owner };
    for (const key of kept ? values.keys() : []) if (!kept?.has(key)) yield { op: "data", owner, key };
  }
  for (const [owner, values] of to.data) {
    const before = from.data.get(owner);
    for (const [key, value] of values) if (!same(before?.get(key), value)) yield { op: "data", owner, key, value };
  }
}

/** @throws EngineError `NOT_RECORDED` if nothing was ever written, and everything that a load throws */
export async function pull(settings: OneShotSettings): Promise<string> {
  const { head, contents, seal } = await load(lookedAt(settings));
  const about = { version: settings.version, seal, purpose: "copy" } as const;
  if (head.lineage !== undefined) return writeCheckpoint(head, contents, about);
  throw new EngineError("NOT_RECORDED", `There is no state of "${settings.app}/${settings.stage}" to pull.`);
}

export interface PushOptions extends Restoring {
  /** Origin of the text, for messages. */
  readonly source: string;
  readonly text: string;
  /** Accepts a copy that is older than the present state. */
  readonly force?: boolean;
  /** The pulled text that the copy was made from: the state must be as it was then, even if the copy is newer. */
  readonly since?: string;
}

/**
 * Replaces the state with a pulled text, in one entry, like a restore. If nothing was ever recorded, e.g. in another
 * store, the state continues under the same identity, so that its secrets can be read there.
 *
 * @throws EngineError `STATE_CORRUPT` if the text was changed after the pull, `STATE_FORMAT`, `STATE_IDENTITY` if it
 * belongs to another state, `STATE_MOVED` if the state has changed since the pull, and everything that a restore throws
 */
export async function push(
  settings: OneShotSettings,
  { source, text, force = false, since, approve, unverified }: PushOptions,
): Promise<Restored> {
  const checkpoint = parse(source, text);
  const base = since === undefined ? undefined : parse("since", since).head;
  const { lineage } = checkpoint.head;
  return becomeCopy(settings, { command: "push", lineage, approve, unverified }, ({ head }) => {
    checkIdentity(settings, source, checkpoint.head, head);
    if (base ? !isAt(base, head) : !force && !includes(checkpoint.head, head)) throw moved(settings, source);
    // The copies in the store's history can be pushed as well.
    return { source, checkpoint, purposes: ["copy", "checkpoint"] };
  });
}

function parse(source: string, text: string): Checkpoint {
  try {
    return readCheckpoint(source, text);
  } catch (error) {
    throw isEngineError(error, "STATE_FORMAT") ? error : altered(source, error);
  }
}

function altered(source: string, cause: unknown): EngineError {
  return new EngineError(
    "STATE_CORRUPT",
    `"${source}" is not as "engine state pull" wrote it: its digest does not match. Nothing was changed. Pull the state again, or restore a copy in the store with "engine state restore".`,
    { cause },
  );
}

function checkIdentity(at: OneShotSettings, source: string, copy: Head, present: Head): void {
  const isSame = copy.app === at.app && copy.stage === at.stage;
  if (isSame && (present.lineage === undefined || present.lineage === copy.lineage)) return;
  const here = `"${at.app}/${at.stage}"`;
  const whose = isSame
    ? `another state with the same name, ${here}`
    : `the state of "${copy.app}/${copy.stage}", not to that of ${here}`;
  throw new EngineError(
    "STATE_IDENTITY",
    `"${source}" belongs to ${whose}. Nothing was changed. Push a text that "engine state pull" wrote for the state in this store.`,
  );
}

/** True if the copy has all changes of the present state. Pulled from another store, it may have a higher number. */
function includes(copy: Head, present: Head): boolean {
  const isLater = copy.seq > present.seq || (copy.seq === present.seq && copy.lines > present.lines);
  return isLater || isAt(copy, present);
}

function isAt(copy: Head, present: Head): boolean {
  return copy.seq === present.seq && copy.digest === present.digest;
}

function moved({ app, stage }: OneShotSettings, source: string): EngineError {
  return new EngineError(
    "STATE_MOVED",
    `"${source}" lacks the newest changes of the state of "${app}/${stage}", and a push would lose them. Nothing was changed. Pull the state again (engine state pull), or push the file anyway (--force).`,
  );
}
