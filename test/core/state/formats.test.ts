import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import type { StateStore } from "../../../core/contract/store.js";
import { memoryStore } from "../../../core/state/memory.js";
import { fakeClock } from "../../helpers/fake-clock.js";
import { fixtureData, fixtureRecords, makeFixture } from "../../helpers/fixture-state.js";
import { keysIn, loadFrom, recorded } from "../../helpers/journals.js";
import { testLedgers } from "../../helpers/ledgers.js";

const fixture = fileURLToPath(new URL("../../fixtures/state-format-1", import.meta.url));
const ledgers = testLedgers();

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "formats-"));
  await cp(fixture, root, { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

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
    const run = await ledgers.run(store, { clock: fakeClock() });
    await run.put("next");
    await run.close();
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
