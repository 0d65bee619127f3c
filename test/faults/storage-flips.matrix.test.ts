/** One flipped bit somewhere in the files: a load reports it with its place, or works without the damaged part. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FsStore, fsStoreAt } from "../../adapters/fs/index.js";
import { isEngineError } from "../../core/base/index.js";
import { isLong } from "../helpers/checks/sampling.js";
import { loadFrom, recorded } from "../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, elsewhere, NO_CHECKPOINTS, ownerOf, testLedgers } from "../helpers/stores/ledgers.js";
import { fakeClock } from "../helpers/time/fake-clock.js";

const ledgers = testLedgers();
/** Of each byte; in long runs the last bit, too. */
const MASKS = isLong ? [0x01, 0x80] : [0x80];
/** One of so many bytes; the length of its file decides which. */
const STEP = isLong ? 1 : 3;
const patient = { timeout: 300_000 };
/** Only reports of damage are tested, not the disk; and one in memory is fast. */
const disk = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(disk, "storage-flips-"));
});
afterEach(() => rm(root, { recursive: true }));

/** A run that records these names; it closes unless it dies. */
async function run(store: FsStore, names: string[], { limits = NO_CHECKPOINTS, dies = false } = {}): Promise<void> {
  const one = await ledgers.run(store, { limits });
  for (const name of names) await one.put(name);
  if (dies) await one.ledger.abandon();
  else await one.close();
}

/** Keys of a room, with the paths of their files. */
async function filesIn(store: FsStore, room: string): Promise<{ readonly key: string; readonly path: string }[]> {
  const found: { key: string; path: string }[] = [];
  for await (const key of store.list(`app/dev/${room}/`)) found.push({ key, path: join(root, `${key}.json`) });
  return found;
}

/** Alters the bytes of the file one by one, each in each way, calls back, and restores the file. */
async function flipEach(path: string, look: (where: string) => Promise<void>): Promise<number> {
  const bytes = await readFile(path);
  let flips = 0;
  for (let at = bytes.length % STEP; at < bytes.length; at += STEP) {
    for (const mask of MASKS) {
      const altered = Buffer.from(bytes);
      altered[at] = (bytes[at] ?? 0) ^ mask;
      await writeFile(path, altered);
      flips++;
      await look(`${path.slice(root.length)} at ${at} ^ ${mask}`);
    }
  }
  await writeFile(path, bytes);
  return flips;
}

/** The result of a load: the records, or the reported damage. */
async function seen(store: FsStore): Promise<string> {
  return loadFrom(store).then(
    (loaded) => recorded(loaded).join(),
    (error: unknown) => (isEngineError(error) ? `${error.code} ${error.message}` : `${error}`),
  );
}

const STATES: Readonly<Record<string, (store: FsStore) => Promise<void>>> = {
  async "a journal alone, with a death and a takeover"(store) {
    await run(store, ["a", "é😀"]);
    await run(store, ["c"], { dies: true });
    await run(store, ["d", "e"], { dies: true });
  },
  async "a checkpoint with a tail"(store) {
    await run(store, ["a", "é😀", "c"], { limits: CLOSING_CHECKPOINTS });
    await run(store, ["d", "e"]);
  },
  async "a checkpoint that is the whole state"(store) {
    await run(store, ["a", "b"], { limits: CLOSING_CHECKPOINTS });
  },
};

const [FIRST] = Object.keys(STATES);

describe.each(Object.keys(STATES))("%s", (name) => {
  // The same code reads states without segments; in long runs each state is tried like that, too.
  it.for(isLong || name === FIRST ? [true, false] : [true])(
    "tells every byte that was altered, and its key (segments: %s)",
    patient,
    async (append, { task }) => {
      const store = fsStoreAt(root, { append });
      await STATES[name]?.(store);
      await store.close();
      const { base } = await loadFrom(store);
      const whole = await seen(store);
      const files = [...(await filesIn(store, "journal")), ...(await filesIn(store, "checkpoint"))];
      const unnoticed: string[] = [];
      let flips = 0;
      for (const { key, path } of files) {
        // Entries that a checkpoint covers are not read any more.
        const isRead = key.includes("/checkpoint/") || Number(key.split("/").at(-1)) > base;
        flips += await flipEach(path, async (where) => {
          const told = await seen(store);
          const isRight = isRead ? told.startsWith("STATE_CORRUPT") && told.includes(`"${key}"`) : told === whole;
          if (!isRight) unnoticed.push(`${where}: ${told}`);
        });
      }
      task.meta.note = `${flips} bytes altered in ${files.length} files`;
      expect(unnoticed).toEqual([]);
      expect(flips).toBeGreaterThan(2_000 / STEP);
      expect(await seen(store)).toBe(whole);
    },
  );
});

describe("leases and copies for people", () => {
  /** A state with both: an owner on another machine is running. */
  async function owned(): Promise<FsStore> {
    const store = fsStoreAt(root);
    await run(store, ["a", "b"], { limits: CLOSING_CHECKPOINTS });
    const owner = await ledgers.run(store, { owner: ownerOf(elsewhere()) });
    await owner.put("c");
    await owner.ledger.abandon();
    await store.set(`app/dev/lease/${(await loadFrom(store)).head.open?.session}`, "7");
    return store;
  }

  it("may be altered at any byte: a load does not look at them", patient, async () => {
    const store = await owned();
    const whole = await seen(store);
    const changed: string[] = [];
    for (const { path } of [...(await filesIn(store, "lease")), ...(await filesIn(store, "history"))]) {
      await flipEach(path, async (where) => {
        if ((await seen(store)) !== whole) changed.push(where);
      });
    }
    expect(changed).toEqual([]);
    await store.close();
  });

  it.each([
    ["empty", ""],
    ["somebody's notes", '{"a":1}\n\n\0\u{fffd}'],
    ["longer than anything", "x".repeat(2_000_000)],
    ["gone", undefined],
  ])("may be %s: the next run takes over and goes on", async (_, value) => {
    const store = await owned();
    for (const { path } of [...(await filesIn(store, "lease")), ...(await filesIn(store, "history"))]) {
      if (value === undefined) await rm(path);
      else await writeFile(path, value);
    }
    const next = await ledgers.run(store, { clock: fakeClock(), limits: CLOSING_CHECKPOINTS });
    await next.put("d");
    await next.close();
    expect(next.warnings()).toEqual([]);
    expect(recorded(await loadFrom(store))).toEqual(["a", "b", "c", "d"]);
    await store.close();
  });
});
