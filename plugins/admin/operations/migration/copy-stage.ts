/** Copies the ledger of a stage to another store, byte for byte. Nothing uses the copy before it is complete. */
import { EngineError, messageOf, NOTHING_DONE, nodeCrypto, uuid } from "../../../../core/base/index.js";
import type { StateStore } from "../../../../core/contract/index.js";
import {
  type AppendLocation,
  arrivingIn,
  CHECKPOINT_LIMITS,
  createEntry,
  createOwn,
  emptyHead,
  type Head,
  identityOf,
  type JournalCursor,
  type LedgerLocation,
  type Loaded,
  listKeys,
  loadAsIs,
  MOVING_FORMAT,
  NO_DIGEST,
  nameOf,
  notAtomic,
  type OpenRecord,
  sameContents,
  write,
} from "../../../../core/state/index.js";

export interface StageCopy extends Pick<TransferSettings, "signal" | "progress"> {
  /** No other session writes there during the copy. */
  readonly source: LedgerLocation;
  /** Empty, or with the remains of an earlier copy of this stage. */
  readonly target: LedgerLocation;
  /** The state in the source. */
  readonly from: Loaded;
  readonly by: Pick<OpenRecord, "owner" | "version" | "ttl">;
}

/** A complete copy that is not in use yet. */
export interface Arrived {
  /** Closing this session activates the stage. */
  readonly session: string;
  readonly at: JournalCursor;
}

/**
 * The order of the writes keeps the target out of use at every moment. At first its first entry marks it as being moved
 * here; later an entry after all copied ones does. A late write of an interrupted copy writes the same contents, and
 * its late deletes only concern numbers that are never used again.
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
  // From here on this entry keeps the target out of use. The first entry, which did so before, can be overwritten.
  await transfer.replace(inPlace);
  await transfer.copyOver(large);
  await transfer.dropOthers();
  await transfer.compare(small, BATCH);
  await transfer.compare(large, 1);
  await checkLoaded(target, from, session);
  return { session, at };
}

/** Activates a complete copy. Does nothing if it is already active. */
export async function putInUse(target: LedgerLocation, { session, at }: Arrived): Promise<void> {
  const close = { outcome: "done", summary: NOTHING_DONE } as const;
  await createEntry(appendLocation(target, at.count), at, session, { close });
}

/** @throws EngineError `STATE_EXISTS` if another run was first, `STORE_NOT_ATOMIC` */
async function createFirst(target: LedgerLocation, session: string, head: Head, open: OpenRecord): Promise<void> {
  const { store, keys, app, stage } = target;
  const { lineage = "" } = head;
  const genesis = { lineage, app: head.app, stage: head.stage };
  const key = keys.entry(1);
  // The copied first entry replaces it later.
  const nothing = { head: emptyHead(app, stage), seal: "none" } as const;
  const { text } = write(nothing, { seq: 1, session, prev: NO_DIGEST, open: { ...open, genesis } });
  if (!(await createOwn(store, key, text)) && arrivingIn((await loadAsIs(target)).head)?.lineage !== lineage) {
    throw new EngineError(
      "STATE_EXISTS",
      `Nothing was moved: another run created a state of "${app}/${stage}" in ${nameOf(store)} in the meantime. Choose another target.`,
    );
  }
  // Checks the store's atomicity, as a run does with its own first entry.
  if (await store.create(key, (await store.get(key)) ?? text)) throw notAtomic(store);
}

/** @throws EngineError `STORE_FAILED` if the copy does not load as the original */
async function checkLoaded(target: LedgerLocation, { contents }: Loaded, session: string): Promise<void> {
  const there = await loadAsIs(target);
  if (there.head.open?.session === session && sameContents(contents, there.contents)) return;
  throw new EngineError(
    "STORE_FAILED",
    `The copy of "${target.app}/${target.stage}" in ${nameOf(target.store)} differs from the original: another program writes there. Nothing was moved. The state stays in use in the old store. Stop that program, then run the same "engine state migrate" again.`,
  );
}

function appendLocation(location: LedgerLocation, count: number): AppendLocation {
  return { ...location, limits: CHECKPOINT_LIMITS, count: () => count };
}

/** A transfer of texts from one store to another. */
interface TransferSettings {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Keys that were in the target before. */
  readonly there: ReadonlySet<string>;
  /** Number of texts to copy. */
  readonly count: number;
  readonly signal: AbortSignal;
  /** Called after every few texts. Each text counts twice: when it is copied and when it is compared. */
  progress?(done: number, all: number): void;
}

interface Text {
  readonly key: string;
  readonly text: string;
}

/** Number of small texts that are read at once. */
const BATCH = 16;

class Transfer {
  readonly #settings: TransferSettings;
  readonly #digests = new Map<string, string>();
  #done = 0;

  constructor(settings: TransferSettings) {
    this.#settings = settings;
  }

  /** Copies small texts; returns those whose place is taken by another text. */
  async copy(keys: readonly string[]): Promise<readonly Text[]> {
    const { from } = this.#settings;
    const others: Text[] = [];
    for (let at = 0; at < keys.length; at += BATCH) {
      const batch = keys.slice(at, at + BATCH);
      const texts = await from.getMany(batch);
      const put = await Promise.allSettled(texts.map((text, index) => this.#put(batch[index] ?? "", text)));
      for (const one of put) {
        if (one.status === "rejected") throw one.reason;
        if (one.value) others.push(one.value);
      }
      this.#report(batch.length);
    }
    return others;
  }

  /** Copies large texts one at a time, and overwrites existing ones. */
  async copyOver(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const other = await this.#put(key, await this.#settings.from.get(key));
      if (other) await this.replace([other]);
      this.#report(1);
    }
  }

  async replace(texts: readonly Text[]): Promise<void> {
    for (const { key, text } of texts) await this.#settings.to.set(key, text);
  }

  /** Deletes keys that are not in the source. */
  async dropOthers(): Promise<void> {
    const { there, to } = this.#settings;
    const others = [...there].filter((key) => !this.#digests.has(key));
    if (others.length > 0) await to.deleteMany(others);
  }

  /** @throws EngineError `STORE_FAILED` if a text cannot be read back as it was written */
  async compare(keys: readonly string[], atOnce: number): Promise<void> {
    const { to } = this.#settings;
    const written = keys.filter((key) => this.#digests.has(key));
    for (let at = 0; at < written.length; at += atOnce) {
      const batch = written.slice(at, at + atOnce);
      const texts = await to.getMany(batch);
      const wrong = batch.find((key, index) => digestOf(texts[index] ?? "") !== this.#digests.get(key));
      if (wrong !== undefined) {
        throw new EngineError(
          "STORE_FAILED",
          `${nameOf(to)} did not return "${wrong}" as it was written. Nothing was moved. The state stays in use in the old store. Check the new store, then run the same "engine state migrate" again.`,
        );
      }
      this.#report(batch.length);
    }
  }

  /** Skips a key that was trimmed since it was listed. Returns the text if another one is in its place. */
  async #put(key: string, text: string | undefined): Promise<Text | undefined> {
    if (text === undefined) return undefined;
    const { to, there } = this.#settings;
    this.#digests.set(key, digestOf(text));
    if (!there.has(key) && (await to.create(key, text))) return undefined;
    return (await to.get(key)) === text ? undefined : { key, text };
  }

  #report(count: number): void {
    const { signal, count: all, progress } = this.#settings;
    if (signal.aborted) {
      const why = signal.reason === undefined ? "" : `: ${messageOf(signal.reason)}`;
      throw new EngineError(
        "ABORTED",
        `The signal aborted the move${why}. The state stays in use in the old store. To continue, run the same "engine state migrate" again.`,
      );
    }
    this.#done += count;
    progress?.(this.#done, 2 * all);
  }
}

function digestOf(text: string): string {
  return nodeCrypto().hash("sha256", text, "hex");
}
