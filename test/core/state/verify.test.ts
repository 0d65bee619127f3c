import { readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { identity } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { digested } from "../../../core/state/checkpoint/digested-text.js";
import { unlock } from "../../../plugins/admin/operations/unlock.js";
import { type Verified, verify } from "../../../plugins/admin/operations/verify/verify.js";
import { folderEach, cwd as rootDir } from "../../e2e/own-folder.ts";
import { entries, keys, loadFrom } from "../../helpers/stores/journals.js";
import {
  elsewhere,
  MANY_CHECKPOINTS,
  NO_CHECKPOINTS,
  ownerOf,
  type Run,
  testLedgers,
  toolSettings,
} from "../../helpers/stores/ledgers.js";
import { faultyStore } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { chained, genesis, openRecord } from "../../helpers/terminal/lines.js";

const ledgers = testLedgers();
folderEach("verify");

function verified(store: StateStore): Promise<Verified> {
  return verify({ store, keys, app: "app", stage: "dev", keep: 3, rootDir });
}

const putAll = (store: StateStore, ...names: string[]): Promise<Run> =>
  ledgers.ran(store, names, { limits: MANY_CHECKPOINTS });

/** A stage with several runs, one that was killed, and one that lost the stage. */
async function eventful(append: boolean): Promise<StateStore> {
  const store = memoryStore({ append });
  await putAll(store, "a", "b");
  await ledgers.begun(store, "killed");
  await putAll(store, "c");
  const owner = await ledgers.begun(store, "d", { owner: ownerOf(elsewhere()) });
  await unlock(toolSettings(store));
  await owner.put("e").catch(() => {});
  await putAll(store, "f", "g", "h");
  return store;
}

describe.each([true, false])("verifying (segments: %s)", (append) => {
  it("finds nothing where all is as it was written, and writes nothing", async () => {
    const store = await eventful(append);
    const before = await snapshot(store);
    const result = await verified(store);
    expect(result).toMatchObject({ findings: [], resources: 8, isBusy: false, keys: before.size });
    expect(result.size).toBe([...before.values()].join("").length);
    expect(await snapshot(store)).toEqual(before);
  });

  it("finds nothing in a stage that was never written", async () => {
    expect(await verified(memoryStore({ append }))).toMatchObject({ findings: [], resources: 0, keys: 0 });
  });

  it("finds an altered byte, in whatever key and wherever in it", async () => {
    const store = await eventful(append);
    for (const [key, text] of await snapshot(store)) {
      for (let at = 3; at < text.length - 1; at += Math.max(1, Math.floor(text.length / 5))) {
        const other = text[at] === "0" ? "1" : "0";
        await store.set(key, text.slice(0, at) + other + text.slice(at + 1));
        const { findings } = await verified(store);
        expect(
          findings.map((finding) => [finding.key, finding.level]),
          `${key} at ${at}`,
        ).toContainEqual([key, "damaged"]);
        await store.set(key, text);
      }
    }
  });

  it("finds every entry that is gone though it must be there", async () => {
    const store = await eventful(append);
    const oldest = Math.min(
      ...[...(await snapshot(store)).keys()]
        .filter((key) => key.startsWith(keys.checkpoints))
        .map((key) => Number(key.slice(-12))),
    );
    const { head } = await loadFrom(store);
    for (const [key, text] of await snapshot(store)) {
      if (!key.startsWith(keys.entries)) continue;
      const seq = Number(key.slice(-12));
      // The checkpoint contains the newest entry completely.
      if (seq === head.seq || (seq <= oldest && !head.guards.includes(seq))) continue;
      await store.deleteMany([key]);
      expect(
        (await verified(store)).findings.map((finding) => finding.key),
        key,
      ).toContain(key);
      await store.set(key, text);
    }
  });

  it("tells of all damage at once, and does not fail for it", async () => {
    const store = await eventful(append);
    const all = [...(await snapshot(store)).keys()].filter((key) => !key.startsWith(`${keys.root}lease`));
    for (const key of all) await store.set(key, "nonsense\n");
    const result = await verified(store);
    expect(new Set(result.findings.map(({ key }) => key))).toEqual(new Set(all));
    expect(result.resources).toBeUndefined();
  });
});

describe("verifying", () => {
  it("says which copy to put over a damaged checkpoint", async () => {
    const store = memoryStore();
    await putAll(store, "a");
    const { seq } = (await loadFrom(store)).head;
    await store.set(keys.checkpoint(seq), "{}");
    const { findings } = await verified(store);
    expect(findings).toContainEqual({
      key: keys.checkpoint(seq),
      level: "damaged",
      problem: "its digest does not match",
      advice: `Copy "${keys.history(seq)}" over it.`,
    });
  });

  it("finds a checkpoint that was put in the place of another one", async () => {
    const [store, other] = [memoryStore({ append: false }), memoryStore({ append: false })];
    await putAll(store, "a");
    await putAll(other, "b");
    const { seq } = (await loadFrom(store)).head;
    await store.set(keys.checkpoint(seq), (await other.get(keys.checkpoint(seq))) ?? "");
    const { findings } = await verified(store);
    expect(findings).toMatchObject([
      {
        key: keys.checkpoint(seq),
        problem: expect.stringContaining("does not match the journal entry with the same number"),
      },
    ]);
  });

  it("calls harmless what holds nothing up: a last line cut off, a lease left over, what is not the engine's", async () => {
    const store = memoryStore();
    await ledgers.begun(store, "a");
    const { head } = await loadFrom(store);
    const text = (await store.get(keys.entry(head.seq))) ?? "";
    await store.set(keys.entry(head.seq), `${text}{"digest":"12`);
    await store.set(keys.lease("somebody"), "3");
    await store.set(`${keys.root}notes.txt`, "mine");
    const { findings, isBusy } = await verified(store);
    expect(isBusy).toBe(true);
    expect(findings.map(({ key, level }) => [key, level]).sort()).toEqual(
      [keys.entry(head.seq), keys.lease("somebody"), `${keys.root}notes.txt`].map((key) => [key, "harmless"]).sort(),
    );
  });

  it("calls text after the end of an entry harmless, because no run reads it", async () => {
    const store = memoryStore();
    await putAll(store, "a");
    const { seq } = (await loadFrom(store)).head;
    await store.set(keys.entry(seq), `${await store.get(keys.entry(seq))}BEHIND\n`);
    const { findings, seal } = await verified(store);
    expect(seal).toBe("none");
    expect(findings).toMatchObject([
      {
        key: keys.entry(seq),
        level: "harmless",
        problem: expect.stringMatching(/^it has \d+ characters after its end$/),
      },
    ]);
  });

  it("takes nothing for damage that other runs do meanwhile", async () => {
    const store = memoryStore({ append: false });
    await putAll(store, "a");
    let isOver = false;
    const work = async () => {
      for (let run = 0; run < 30; run++) await putAll(store, `r${run}`, `s${run}`, `t${run}`);
      isOver = true;
    };
    const check = async () => {
      while (!isOver) expect((await verified(store)).findings).toEqual([]);
    };
    await Promise.all([work(), check()]);
    expect(await verified(store)).toMatchObject({ findings: [], resources: 91 });
  });

  it("finds recovery files beside the project, damaged or waiting", async () => {
    const store = memoryStore();
    await ledgers.begun(store, "a", { rootDir, owner: ownerOf(identity()) });
    await writeFile(join(rootDir, "engine-recovery.app.dev.torn.json"), "{");
    const newer = digested(JSON.stringify({ app: "app", stage: "dev", format: 99 })).text;
    await writeFile(join(rootDir, "engine-recovery.app.dev.newer.json"), `${newer}\n`);
    const found = (await verified(store)).findings.map(({ key, level, advice }) => [basename(key), level, advice]);
    expect(found.sort()).toEqual([
      ["engine-recovery.app.dev.newer.json", "damaged", "Update scope-engine, then run again."],
      ["engine-recovery.app.dev.torn.json", "damaged", expect.stringContaining("delete the file")],
    ]);
    for (const name of ["torn", "newer"]) await rm(join(rootDir, `engine-recovery.app.dev.${name}.json`));
  });
});

describe("verifying a journal", () => {
  it("finds lines that are gone from the end of an entry, where a later session has counted them", async () => {
    const store = memoryStore();
    const killed = await ledgers.run(store, { limits: NO_CHECKPOINTS });
    for (const name of ["a", "b"]) await killed.put(name);
    const { seq } = (await loadFrom(store)).head;
    await ledgers.ran(store, "c", { limits: NO_CHECKPOINTS });
    const [first] = ((await store.get(keys.entry(seq))) ?? "").split("\n");
    await store.set(keys.entry(seq), `${first}\n`);
    const { findings, resources } = await verified(store);
    expect(findings).toMatchObject([
      { key: keys.entry(seq), level: "damaged", problem: "it contains fewer lines than a later session counted" },
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
        problem: "scope-engine 9.8.7 wrote it in format 99, which this version does not know",
        advice: "Update scope-engine.",
      },
    ]);
  });
});

describe("verifying what stands beside it", () => {
  it("finds a lease of the open session that is none", async () => {
    const store = memoryStore();
    const run = await ledgers.begun(store, "a");
    const key = keys.lease(run.ledger.session ?? "");
    await store.set(key, "3");
    expect((await verified(store)).findings).toEqual([]);
    await store.set(key, "three");
    expect((await verified(store)).findings).toMatchObject([
      { key, level: "damaged", problem: "it is not a valid lease" },
    ]);
  });

  it("tells a recovery file of this state, which waits for the next run, from one of another", async () => {
    const inner = memoryStore();
    let isDown = false;
    const store = faultyStore(inner, ({ op }) => (isDown && op !== "get" ? "refused" : undefined));
    const run = await ledgers.begun(store, "a", { rootDir });
    isDown = true;
    await run.ledger.commit([{ op: "data", owner: "/", key: "n", value: 1 }], "now").catch(() => {});
    await run.ledger.abandon();
    const [name = ""] = await readdir(rootDir);
    const [key, level] = [join(rootDir, name), "harmless"];
    expect((await verified(inner)).findings).toMatchObject([
      { key, level, advice: expect.stringContaining("engine state recover") },
    ]);
    const other = memoryStore();
    await ledgers.ran(other, "a", { rootDir: join(rootDir, "elsewhere") });
    expect((await verified(other)).findings).toMatchObject([
      { key, level, problem: "it belongs to another state of the same name" },
    ]);
  });
});

it("verifying fails if the store once does not answer, because that is not damage", async () => {
  const inner = memoryStore();
  await ledgers.ran(inner, "a");
  let reads = 0;
  const store = faultyStore(inner, ({ op }) => (op === "get" && reads++ === 0 ? "refused" : undefined));
  await expect(verified(store)).rejects.toThrow("get was refused");
});
