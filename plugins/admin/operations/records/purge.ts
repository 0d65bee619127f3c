/** Removes old entries, checkpoints and leases of a stage that records nothing any more. */
import { EngineError } from "../../../../core/base/index.js";
import {
  type Contents,
  type Head,
  type LedgerLocation,
  listKeys,
  load,
  locationOf,
  type OneShotSettings,
  oneShotSession,
  retainedNames,
} from "../../../../core/state/index.js";
import { fqnOf } from "../recorded-name.js";

/** Result of a purge, or its planned result. */
export interface Purged {
  /** Number of removed journal entries, checkpoints and leases of ended sessions. 0 when `approve` is called. */
  readonly keys: number;
  /** Number of removed copies that could be restored. */
  readonly history: number;
}

/** Options of {@link StageAdmin.purge}. */
export interface PurgeOptions {
  /** Removes the copies that can be restored as well. Default: they stay. */
  readonly history?: boolean;
  /** Called before anything is removed; cancels by throwing. */
  approve?(what: Purged): Promise<void> | void;
}

/**
 * A load may still be reading from an old checkpoint on. It notices a trim only if there are `keep` newer checkpoints.
 * The purge therefore writes as many, and each trims as it does after a run. The first entry, the guards and the newest
 * entries stay: without them a paused writer could write again.
 *
 * @throws EngineError `INVALID_CALL` if anything is recorded; all that `approve` throws, and everything that
 * {@link oneShotSession} throws
 */
export async function purge(
  settings: OneShotSettings,
  { history = false, approve }: PurgeOptions = {},
): Promise<Purged> {
  const location = locationOf(settings);
  const { head, contents } = await load(location);
  refuseRecorded(settings, contents);
  const before = await keysOf(location);
  const listed = await listKeys(location);
  const copies = history ? listed.histories : [];
  const isWorn = hasPast(location, head, listed, before);
  if (!isWorn && copies.length === 0) return { keys: 0, history: 0 };
  await approve?.({ keys: 0, history: copies.length });
  // Without copies in the history: they would push out those of runs.
  const quiet = { ...settings, histories: 0 };
  for (let session = 0; isWorn && session < settings.keep; session++) {
    await oneShotSession(quiet, {
      command: "purge",
      changes({ contents }) {
        refuseRecorded(settings, contents);
        return [];
      },
    });
  }
  await removeLeases(location);
  if (copies.length > 0) await settings.store.deleteMany(copies.map(location.keys.history));
  const left = new Set(await keysOf(location));
  const gone = before.filter((key) => !left.has(key)).length;
  return { keys: gone - copies.length, history: copies.length };
}

/** Returns true if no resource and no name of a retained resource is recorded. */
export function recordsNothing(contents: Contents): boolean {
  return contents.records.size === 0 && retainedNames(contents).length === 0;
}

function refuseRecorded(at: Pick<OneShotSettings, "app" | "stage">, contents: Contents): void {
  if (recordsNothing(contents)) return;
  const { size } = contents.records;
  const [what, advice] =
    size > 0
      ? [`${size} ${size === 1 ? "resource" : "resources"}`, "Delete them first (engine destroy)"]
      : ["names of retained resources", 'Free them first (engine state forget --retained "**")'];
  throw new EngineError(
    "INVALID_CALL",
    `The state of "${fqnOf(at, "")}" still contains ${what}, so nothing was removed. ${advice}.`,
  );
}

/** Returns true if there is more than a purge would leave. */
function hasPast(
  { keys, keep }: LedgerLocation,
  head: Head,
  { checkpoints, entries }: Awaited<ReturnType<typeof listKeys>>,
  all: readonly string[],
): boolean {
  const guards = new Set(head.guards);
  if (head.open || all.some((key) => key.startsWith(keys.lease("")))) return true;
  return checkpoints.length > keep || entries.filter((seq) => !guards.has(seq)).length >= keep;
}

async function keysOf({ store, keys }: LedgerLocation): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const key of store.list(keys.root)) found.push(key);
  return found;
}

/** Lists the leases before the load, so that a session that opens in between keeps its own. */
async function removeLeases(location: LedgerLocation): Promise<void> {
  const prefix = location.keys.lease("");
  const leases = (await keysOf(location)).filter((key) => key.startsWith(prefix));
  const { open } = (await load(location)).head;
  const old = leases.filter((key) => open === undefined || key !== location.keys.lease(open.session));
  if (old.length > 0) await location.store.deleteMany(old);
}
