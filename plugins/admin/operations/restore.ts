/** Goes back to what a copy of the state says, by the journal: forwards, like any other change. */

import { EngineError, isEngineError } from "../../../core/base/index.js";
import { pluginOwner, type Sealer } from "../../../core/contract/index.js";
import {
  type Change,
  type Checkpoint,
  type Contents,
  checkNames,
  type Head,
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
import { fqnOf } from "./recorded-name.js";
import { type Copy, proveCopy } from "./verify/prove-copy.js";
import { keptAt } from "./view/kept-copy.js";

/** What became of a state that was made what a copy says, or is about to. */
export interface Restored {
  /** How many records and values of data are as in the copy again, or gone again. 0: nothing was written. */
  readonly changes: number;
  /** FQNs of what is no longer recorded; it may be there all the same. */
  readonly forgotten: readonly string[];
}

/** What of it is asked before anything is written. */
export interface Restoring {
  /** Told what is about to be written; keeps everything as it is by throwing. Not called where nothing differs. */
  approve?(what: Restored): Promise<void> | void;
  /** Also a copy without a seal, of a state that has one. */
  readonly unverified?: boolean;
}

/**
 * Makes the state of a stage what it was when entry `seq` was the newest: a session of its own writes the difference as
 * one entry. The things themselves stay as they are.
 *
 * @throws EngineError `NOT_RECORDED` where there is no copy of that number, `STATE_IDENTITY` where it is another
 * ledger's, `STATE_CORRUPT` where a byte of it is not what was written, `STATE_FORGED` where nobody with its key has written it, what `approve` throws, and everything that {@link oneShotSession} throws
 */
export function restore(settings: OneShotSettings, seq: number, options: Restoring = {}): Promise<Restored> {
  const location = locationOf(settings);
  return becomeCopy(settings, { ...options, command: "restore" }, ({ head }) => readCopy(location, head, seq));
}

/** Writes what leads from what is recorded to a copy. */
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
      if (changes.length === 0) return undefined;
      const gone = [...loaded.contents.records.values()].filter(({ uid }) => !copy.records.has(uid));
      restored = { changes: changes.length, forgotten: gone.map(({ key }) => fqnOf(settings, key)) };
      await approve?.(restored);
      return changes;
    },
  });
  return restored;
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

/** What goes comes first, so that a key is free for the record that is to have it. */
function changesBetween(from: Contents, to: Contents): readonly Change[] {
  const gone = [...from.records.keys()].filter((uid) => !to.records.has(uid));
  const put = [...to.records.values()].filter((record) => !same(from.records.get(record.uid), record));
  return [
    ...gone.map((uid): Change => ({ op: "drop", uid })),
    ...put.map((record): Change => ({ op: "put", record })),
    ...dataBetween(from, to, new Set(gone)),
  ];
}

/** @param dropped owners whose data goes with their record */
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

/** @throws EngineError `NOT_RECORDED` where nothing was ever written, and everything that a load throws */
export async function pull(settings: OneShotSettings): Promise<string> {
  const { head, contents, seal } = await load(lookedAt(settings));
  const about = { version: settings.version, seal, purpose: "copy" } as const;
  if (head.lineage !== undefined) return writeCheckpoint(head, contents, about);
  throw new EngineError("NOT_RECORDED", `There is no state of "${settings.app}/${settings.stage}" to pull.`);
}

export interface PushOptions extends Restoring {
  /** Where the text is from, for messages. */
  readonly source: string;
  readonly text: string;
  /** Also a copy that is older than what is recorded. */
  readonly force?: boolean;
}

/**
 * Makes the state what a text says that was pulled: as one entry, like a restore. Where nothing was ever recorded, e.g. in another
 * store, it goes on under the same identity, so that secrets can be read there.
 *
 * @throws EngineError `STATE_CORRUPT` where the text is not as it was pulled, `STATE_FORMAT`, `STATE_IDENTITY` where it is of another
 * state, `STATE_MOVED` where the state has changed since it was pulled, and everything that a restore throws
 */
export async function push(
  settings: OneShotSettings,
  { source, text, force = false, approve, unverified }: PushOptions,
): Promise<Restored> {
  const checkpoint = parse(source, text);
  const { lineage } = checkpoint.head;
  return becomeCopy(settings, { command: "push", lineage, approve, unverified }, ({ head }) => {
    checkIdentity(settings, source, checkpoint.head, head);
    if (!force) checkPosition(settings, source, checkpoint.head, head);
    // What is kept for people in the store can be pushed as well.
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
    `"${source}" is not as "engine state pull" wrote it: its digest does not match. Nothing was changed. Pull it again, or restore a copy in the store with "engine state restore".`,
    { cause },
  );
}

function checkIdentity(at: OneShotSettings, source: string, copy: Head, present: Head): void {
  const isSame = copy.app === at.app && copy.stage === at.stage;
  if (isSame && (present.lineage === undefined || present.lineage === copy.lineage)) return;
  const which = isSame ? "another state of the same name" : `the state of "${copy.app}/${copy.stage}"`;
  throw new EngineError(
    "STATE_IDENTITY",
    `"${source}" is a copy of ${which}. It was not pulled from "${at.app}/${at.stage}" in this store. Nothing was changed.`,
  );
}

/** What was pulled from another store may be numbered higher than what is here. */
function checkPosition(at: OneShotSettings, source: string, copy: Head, present: Head): void {
  const { seq, lines, digest } = present;
  if (copy.seq > seq || (copy.seq === seq && copy.lines > lines)) return;
  if (copy.seq === seq && copy.digest === digest) return;
  throw new EngineError(
    "STATE_MOVED",
    `"${source}" is the state at entry ${copy.seq}, but "${at.app}/${at.stage}" is now at entry ${seq}. A push would lose the changes made since then. Nothing was changed. Pull it again, or force it (--force).`,
  );
}
