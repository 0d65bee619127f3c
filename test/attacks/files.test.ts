import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { all, forgeEntry, keys, newestIn, OPEN, put, rechain, rewrite } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(root, { recursive: true }));

async function sealedStage() {
  const world = new World();
  const Thing = world.type();
  const store = fsStoreAt(root);
  const stage = secretStage({ stateStore: store, strictState: true });
  const program = async () => {
    await Thing("a", { value: { host: "db.internal", password: new Secret("hunter2") } });
    await Thing("b", { value: 1 });
  };
  await stage.up(() => Thing("a", { value: { host: "db.internal", password: new Secret("hunter2") } }));
  const old = await all(store);
  await stage.up(program);
  world.news();
  return { world, store, stage, program, old };
}

type Sealed = Awaited<ReturnType<typeof sealedStage>>;

const ATTACKS: Readonly<Record<string, (sealed: Sealed) => Promise<void>>> = {
  "a value in the newest checkpoint": async ({ store }) =>
    rewrite(store, await newestIn(store, keys.checkpoints), (body) => {
      body.records[0].props.value.host = "evil.example";
    }),
  "the same by an editor that knows no digests": async () => {
    for (const name of await readdir(root, { recursive: true })) {
      const text = await readFile(join(root, name), "utf8").catch(() => "");
      if (!/checkpoint/.test(name) || text === "") continue;
      await writeFile(join(root, name), text.replaceAll("db.internal", "evil.example"));
    }
  },
  "a line at the end of the journal": async ({ store }) =>
    void (await forgeEntry(store, { open: { ...OPEN, format: 1 } })),
  "a value in the journal, without the checkpoints": async ({ store }) => {
    for await (const key of store.list(keys.checkpoints)) await store.deleteMany([key]);
    await rechain(store, ({ ops }) => {
      for (const { record } of ops ?? []) if (record?.key === "b") record.props.value = 2;
    });
  },
  "all of it, to what it was before": async ({ store, old }) => put(store, old),
  "all of it, to nothing": ({ store }) => emptyStore(store),
};

describe("a sealed stage in files", () => {
  test.each(Object.keys(ATTACKS))("is refused by runs with the key after a change of %s", async (name) => {
    const sealed = await sealedStage();
    const { world, store, stage, program } = sealed;
    await ATTACKS[name]?.(sealed);
    const before = await all(store);
    for (const options of [{}, { phase: "destroy" }, { phase: "read" }] as const) {
      for (const run of [program, () => {}]) {
        const refused = told(await failureOf(stage.up(run, options)));
        expect(refused).toMatch(/^EngineError STATE_(FORGED|CORRUPT|WENT_BACK) .*"app\/dev/);
        expect(world.news()).toEqual([]);
        expect(await all(store)).toEqual(before);
      }
    }
  });
});
