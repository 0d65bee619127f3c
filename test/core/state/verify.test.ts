import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { identity } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { unlock } from "../../../plugins/admin/operations/unlock.js";
import { type Verified, verify } from "../../../plugins/admin/operations/verify/verify.js";
import { keys, loadFrom } from "../../helpers/stores/journals.js";
import { elsewhere, MANY_CHECKPOINTS, ownerOf, testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
let rootDir = "";
beforeAll(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "verify-"));
});
afterAll(() => rm(rootDir, { recursive: true, force: true }));

function verified(store: StateStore): Promise<Verified> {
  return verify({ store, keys, app: "app", stage: "dev", keep: 3, rootDir });
}

/** A run that records these, one after the other. */
async function putAll(store: StateStore, ...keysToPut: string[]): Promise<void> {
  const run = await ledgers.run(store, { limits: MANY_CHECKPOINTS });
  for (const key of keysToPut) await run.put(key);
  await run.close();
}

/** A stage with several runs, one that was killed, and one that was pushed out. */
async function eventful(append: boolean): Promise<StateStore> {
  const store = memoryStore({ append });
  await putAll(store, "a", "b");
  await (await ledgers.run(store)).put("killed");
  await putAll(store, "c");
  const owner = await ledgers.run(store, { owner: ownerOf(elsewhere()) });
  await owner.put("d");
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
      // The newest one stands in its checkpoint whole.
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
      problem: "its digest does not fit",
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
    expect(findings).toMatchObject([{ key: keys.checkpoint(seq), problem: expect.stringContaining("another entry") }]);
  });

  it("calls harmless what holds nothing up: a last line cut off, a lease left over, what is not the engine's", async () => {
    const store = memoryStore();
    const run = await ledgers.run(store);
    await run.put("a");
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

  it("calls harmless what somebody has written behind the end of an entry, which no run reads", async () => {
    const store = memoryStore();
    await putAll(store, "a");
    const { seq } = (await loadFrom(store)).head;
    await store.set(keys.entry(seq), `${await store.get(keys.entry(seq))}BEHIND\n`);
    const { findings, seal } = await verified(store);
    expect(seal).toBe("none");
    expect(findings).toMatchObject([
      { key: keys.entry(seq), level: "harmless", problem: expect.stringContaining("behind its end") },
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
    const run = await ledgers.run(store, { rootDir, owner: ownerOf(identity()) });
    await run.put("a");
    await writeFile(join(rootDir, "engine-recovery.app.dev.torn.json"), "{");
    expect((await verified(store)).findings).toMatchObject([
      { key: join(rootDir, "engine-recovery.app.dev.torn.json"), level: "damaged" },
    ]);
    await rm(join(rootDir, "engine-recovery.app.dev.torn.json"));
  });
});
