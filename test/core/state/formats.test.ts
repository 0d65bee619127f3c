import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { ResourceRecord, StateStore } from "../../../core/contract/index.js";
import type { Change } from "../../../core/state/index.js";
import { folderEach, cwd as root } from "../../e2e/own-folder.ts";
import { keysIn, loadFrom, recorded } from "../../helpers/stores/journals.js";
import {
  CLOSING_CHECKPOINTS,
  type Ledgers,
  NO_CHECKPOINTS,
  recordAt,
  testLedgers,
} from "../../helpers/stores/ledgers.js";
import { fakeClock } from "../../helpers/time/fake-clock.js";

const files = recordAt("files", {
  props: { path: "public", since: { $date: "2026-01-02T03:04:05.678Z" }, big: { $bigint: "12345678901234567890" } },
  output: { path: "/srv/public" },
});

/** The records after all runs. */
const fixtureRecords: readonly ResourceRecord[] = [
  { ...files, ready: [1], done: [2] },
  recordAt("site/page", { refs: ["uid-files"], ready: [3], done: [4, 1], parent: "uid-files" }),
  recordAt("site/old", { uid: "uid-old-1", replaced: true, status: "deleting", attempt: 2, error: "It is in use." }),
  recordAt("site/old", { uid: "uid-old-2", replaces: "uid-old-1", physicalName: "app-old-dev-2" }),
  recordAt("bucket", { status: "updating", lastGood: { props: { name: "a" } }, props: { name: "b" }, attempt: 1 }),
  recordAt("queue", { status: "creating", output: undefined, done: undefined, attempt: 1 }),
];

const fixtureData = [
  ["/", [["release", 7]]],
  ["uid-files", [["etag", "äöü \u2028 \ud83d\ude00"]]],
] as const;

const put = (record: ResourceRecord): Change => ({ op: "put", record });

/** A checkpoint, a closed session after it, and a session that died in the middle of a line. */
async function makeFixture(store: StateStore, { run }: Ledgers): Promise<void> {
  const owner = { user: "ada", host: "laptop", pid: 4711, since: "2026-01-02T03:04:05.678Z" };
  const [first, page, old, fresh, bucket, queue] = fixtureRecords;
  if (!first || !page || !old || !fresh || !bucket || !queue) throw new Error("A record is missing.");
  const one = await run(store, { owner, version: "0.1.0", limits: CLOSING_CHECKPOINTS });
  await one.ledger.commit(
    [put({ ...files, status: "creating", output: undefined, done: undefined, attempt: 1 })],
    "now",
  );
  await one.ledger.commit(
    [{ op: "patch", uid: files.uid, set: { status: "ready", output: files.output ?? null, attempt: 0, done: [2] } }],
    "now",
  );
  await one.ledger.commit([put(page), put({ ...old, replaced: undefined }), put(recordAt("gone"))], "now");
  await one.ledger.commit([{ op: "data", owner: "uid-files", key: "etag", value: "äöü \u2028 \ud83d\ude00" }], "now");
  await one.close();
  const two = await run(store, { owner, version: "0.1.0", limits: NO_CHECKPOINTS });
  await two.ledger.commit([{ op: "patch", uid: old.uid, set: { replaced: true } }, put(fresh)], "now");
  await two.ledger.commit(
    [
      { op: "drop", uid: "uid-gone" },
      { op: "data", owner: "/", key: "release", value: 7 },
    ],
    "now",
  );
  await two.ledger.commit([{ op: "place", at: [{ uid: page.uid, ready: [3], done: [4, 1] }] }], "now");
  await two.close();
  const three = await run(store, { owner, version: "0.1.0", limits: NO_CHECKPOINTS });
  await three.ledger.commit([put(bucket), { op: "data", owner: "/", key: "draft", value: true }], "now");
  await three.ledger.commit(
    [put(queue), { op: "forget", owner: "/x" }, { op: "data", owner: "/", key: "draft" }],
    "now",
  );
}

const fixture = fileURLToPath(new URL("../../fixtures/state-format-1", import.meta.url));
const ledgers = testLedgers();

folderEach("formats");
beforeEach(() => cp(fixture, root, { recursive: true }));

async function contentsOf(store: StateStore): Promise<unknown> {
  const { contents } = await loadFrom(store);
  const records = [...contents.records.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  return JSON.parse(
    JSON.stringify({ records, data: [...contents.data].map(([owner, all]) => [owner, [...all]]).sort() }),
  );
}

const expected = JSON.parse(
  JSON.stringify({ records: fixtureRecords.toSorted((a, b) => (a.uid < b.uid ? -1 : 1)), data: fixtureData }),
);

describe("a state of format 1", () => {
  it("is what it was: a checkpoint, a session that closed, and one that died in the middle of a line", async () => {
    expect(await keysIn(fsStoreAt(fixture))).toEqual([
      "checkpoint/2",
      "history/2",
      "journal/1",
      "journal/2",
      "journal/3",
      "journal/4",
    ]);
  });

  it("loads, with everything that was recorded", async () => {
    const store = fsStoreAt(root);
    expect(await contentsOf(store)).toEqual(expected);
    const { head, base } = await loadFrom(store);
    expect({ ...head, base }).toMatchObject({
      app: "app",
      stage: "dev",
      seq: 4,
      base: 2,
      guards: [1],
      version: "0.1.0",
    });
    expect(head.open?.record.owner).toMatchObject({ user: "ada", host: "laptop", pid: 4711 });
  });

  it("goes on: its dead session is taken over once its lease has run out", async () => {
    const store = fsStoreAt(root);
    const run = await ledgers.ran(store, "next", { clock: fakeClock() });
    expect(run.warnings()).toEqual([]);
    expect(recorded(await loadFrom(store))).toContain("next");
    await store.close();
  });

  it("is written by the same runs today", async () => {
    const store = memoryStore();
    await makeFixture(store, ledgers);
    expect(await contentsOf(store)).toEqual(expected);
  });
});
