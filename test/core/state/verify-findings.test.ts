/** What a check of a state says of damage that is met seldom, and of recovery files. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { type Verified, verify } from "../../../plugins/admin/operations/verify/verify.js";
import { entries, keys, loadFrom } from "../../helpers/stores/journals.js";
import { NO_CHECKPOINTS, testLedgers } from "../../helpers/stores/ledgers.js";
import { faultyStore } from "../../helpers/stores/store-around.js";
import { chained, genesis, openRecord } from "../../helpers/terminal/lines.js";

const ledgers = testLedgers();
let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "findings-"));
});
afterEach(() => rm(rootDir, { recursive: true, force: true }));

function verified(store: StateStore): Promise<Verified> {
  return verify({ store, keys, app: "app", stage: "dev", keep: 3, rootDir });
}

describe("verifying a journal", () => {
  it("finds lines that are gone from the end of an entry, where a later session has counted them", async () => {
    const store = memoryStore();
    const killed = await ledgers.run(store, { limits: NO_CHECKPOINTS });
    for (const name of ["a", "b"]) await killed.put(name);
    const { seq } = (await loadFrom(store)).head;
    const next = await ledgers.run(store, { limits: NO_CHECKPOINTS });
    await next.put("c");
    await next.close();
    const [first] = ((await store.get(keys.entry(seq))) ?? "").split("\n");
    await store.set(keys.entry(seq), `${first}\n`);
    const { findings, resources } = await verified(store);
    expect(findings).toMatchObject([
      { key: keys.entry(seq), level: "damaged", problem: "it holds fewer lines than a later session has counted" },
    ]);
    expect(resources).toBeUndefined();
  });

  it("names the version that wrote an entry in a newer format", async () => {
    const store = entries();
    const open = openRecord({ genesis, format: 99, version: "9.8.7" });
    await store.create(keys.entry(1), chained({ seq: 1, session: "s", open })[0]?.text ?? "");
    expect((await verified(store)).findings).toEqual([
      {
        key: keys.entry(1),
        level: "damaged",
        problem: "scope-engine 9.8.7 wrote it, in format 99",
        advice: "Update scope-engine.",
      },
    ]);
  });
});

describe("verifying what stands beside it", () => {
  it("finds a lease of the open session that is none", async () => {
    const store = memoryStore();
    const run = await ledgers.run(store);
    await run.put("a");
    const key = keys.lease(run.ledger.session ?? "");
    await store.set(key, "3");
    expect((await verified(store)).findings).toEqual([]);
    await store.set(key, "three");
    expect((await verified(store)).findings).toMatchObject([{ key, level: "damaged", problem: "it is no lease" }]);
  });

  it("tells a recovery file of this state, which waits for the next run, from one of another", async () => {
    const inner = memoryStore();
    let isDown = false;
    const store = faultyStore(inner, ({ op }) => (isDown && op !== "get" ? "refused" : undefined));
    const run = await ledgers.run(store, { rootDir });
    await run.put("a");
    isDown = true;
    await run.ledger.commit([{ op: "data", owner: "/", key: "n", value: 1 }], "now").catch(() => {});
    await run.ledger.abandon();
    const [name = ""] = await readdir(rootDir);
    const [key, level] = [join(rootDir, name), "harmless"];
    expect((await verified(inner)).findings).toMatchObject([
      { key, level, advice: expect.stringContaining("engine state recover") },
    ]);
    const other = memoryStore();
    const elsewhere = await ledgers.run(other, { rootDir: join(rootDir, "elsewhere") });
    await elsewhere.put("a");
    await elsewhere.close();
    expect((await verified(other)).findings).toMatchObject([
      { key, level, problem: "it belongs to another state of the same name" },
    ]);
  });
});

it("verifying fails where the store does not answer once, for that is no damage", async () => {
  const inner = memoryStore();
  const run = await ledgers.run(inner);
  await run.put("a");
  await run.close();
  let reads = 0;
  const store = faultyStore(inner, ({ op }) => (op === "get" && reads++ === 0 ? "refused" : undefined));
  await expect(verified(store)).rejects.toThrow("get was refused");
});
