/** Copies the ledger of a stage to another store, byte for byte, where nothing uses it before it is there as a whole. */
import { EngineError, NOTHING_DONE, uuid } from "../../base/index.js";
import { CHECKPOINT_LIMITS } from "../checkpoint/limits.js";
import { type AppendLocation, createEntry, createOwn, write } from "../journal/append.js";
import { MOVING_FORMAT, NO_DIGEST, type OpenRecord } from "../journal/entry.js";
import { emptyHead, type Head } from "../journal/head.js";
import type { JournalCursor } from "../journal/journal-cursor.js";
import { listKeys } from "../journal/list-keys.js";
import type { LedgerLocation } from "../ledger-location.js";
import { type Loaded, loadAsIs } from "../load.js";
import { sameContents } from "../reads.js";
import { identityOf, notAtomic } from "../session/opening.js";
import { arrivingIn, nameOf } from "./moving.js";
import { BATCH, Transfer, type TransferSettings } from "./transfer.js";

export interface StageCopy extends Pick<TransferSettings, "signal" | "progress"> {
  /** Nobody else writes there meanwhile. */
  readonly source: LedgerLocation;
  /** Where nothing is, or what an earlier copy of this stage has left. */
  readonly target: LedgerLocation;
  /** What the source holds. */
  readonly from: Loaded;
  readonly by: Pick<OpenRecord, "owner" | "version" | "ttl">;
}

/** What has arrived, and is not in use. */
export interface Arrived {
  /** Once this session is closed, the stage is in use. */
  readonly session: string;
  readonly at: JournalCursor;
}

/**
 * The order of the writes keeps the target out of use at every moment: its first entry says that it is being moved here,
 * until there is an entry behind all that was copied which says so. Whatever an interrupted copy writes late is what was
 * there, or will be, all the same; and what it takes away has a number that is never used again.
 *
 * @throws EngineError `STATE_EXISTS`, `STORE_NOT_ATOMIC`, `STORE_FAILED`, `ABORTED`
 */
export async function copyStage(copy: StageCopy): Promise<Arrived> {
  const { source, target, from, by, signal, progress } = copy;
  const session = uuid();
  const { lineage = "" } = from.head;
  const arriving = { from: nameOf(source.store), store: identityOf(source.store), lineage };
  const open = { ...by, command: "migrate", store: identityOf(target.store), format: MOVING_FORMAT, arriving };
  await createFirst(target, session, from.head, open);
  const { entries, checkpoints, histories } = await listKeys(source);
  const there = new Set<string>();
  for await (const key of target.store.list(target.keys.root)) there.add(key);
  const count = entries.length + checkpoints.length + histories.length;
  const transfer = new Transfer({ from: source.store, to: target.store, there, count, signal, progress });
  const small = entries.map(source.keys.entry);
  const large = [...histories.map(source.keys.history), ...checkpoints.map(source.keys.checkpoint)];
  const inPlace = await transfer.copy(small);
  const at = await createEntry(appendLocation(target, from.count), from, session, { open });
  // From here on this entry keeps the target out of use, and what has done so before is in the place of what is copied.
  await transfer.replace(inPlace);
  await transfer.copyOver(large);
  await transfer.dropOthers();
  await transfer.compare(small, BATCH);
  await transfer.compare(large, 1);
  await checkLoaded(target, from, session);
  return { session, at };
}

/** Puts in use what has arrived. Done already: nothing happens. */
export async function putInUse(target: LedgerLocation, { session, at }: Arrived): Promise<void> {
  const close = { outcome: "done", summary: NOTHING_DONE } as const;
  await createEntry(appendLocation(target, at.count), at, session, { close });
}

/** @throws EngineError `STATE_EXISTS` where another run was first, `STORE_NOT_ATOMIC` */
async function createFirst(target: LedgerLocation, session: string, head: Head, open: OpenRecord): Promise<void> {
  const { store, keys, app, stage } = target;
  const { lineage = "" } = head;
  const genesis = { lineage, app: head.app, stage: head.stage };
  const key = keys.entry(1);
  // What is copied takes its place.
  const nothing = { head: emptyHead(app, stage), seal: "none" } as const;
  const { text } = write(nothing, { seq: 1, session, prev: NO_DIGEST, open: { ...open, genesis } });
  if (!(await createOwn(store, key, text)) && arrivingIn((await loadAsIs(target)).head)?.lineage !== lineage) {
    throw new EngineError(
      "STATE_EXISTS",
      `Another run has made a state of "${app}/${stage}" in ${nameOf(store)} meanwhile. Nothing was moved.`,
    );
  }
  // As a run does with its own first entry.
  if (await store.create(key, (await store.get(key)) ?? text)) throw notAtomic(store);
}

/** @throws EngineError `STORE_FAILED` where what is there is not read as what was copied */
async function checkLoaded(target: LedgerLocation, { contents }: Loaded, session: string): Promise<void> {
  const there = await loadAsIs(target);
  if (there.head.open?.session === session && sameContents(contents, there.contents)) return;
  throw new EngineError(
    "STORE_FAILED",
    `What ${nameOf(target.store)} holds of "${target.app}/${target.stage}" is not what was copied: something else writes there. Nothing was moved: the state is in use where it was.`,
  );
}

function appendLocation(location: LedgerLocation, count: number): AppendLocation {
  return { ...location, limits: CHECKPOINT_LIMITS, count: () => count };
}
