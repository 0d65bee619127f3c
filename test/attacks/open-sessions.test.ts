import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { Scope, StateStore } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import { unlock } from "../../plugins/admin/operations/unlock.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import type { Stage } from "../helpers/apps/stage.ts";
import { elsewhere, ownerOf } from "../helpers/stores/ledgers.ts";
import { until } from "../helpers/time/until.ts";
import {
  all,
  bodyOf,
  digestOf,
  forgeEntry,
  type Json,
  keys,
  lastLine,
  newestIn,
  OPEN,
  put,
  textOf,
} from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { changeData, sealedStage, sessionOn } from "./stages.ts";

const FORGED = /^EngineError STATE_FORGED .*"app\/dev\/journal\//;

/** Changes that cannot be recorded are kept in a file beside the project. */
let rootDir = "";
beforeAll(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterAll(() => rm(rootDir, { recursive: true }));

const stageIn = (append: boolean) => sealedStage({ stateStore: memoryStore({ append }), rootDir });

/** A session on another machine, with the key, has the stage open, and is silent. */
async function openElsewhere(stage: Stage, ttl = 1_000_000): Promise<string> {
  const ledger = await sessionOn(stage, { owner: ownerOf(elsewhere()), ttl });
  await changeData(ledger, [1]);
  return ledger.session ?? "";
}

const open = { ...OPEN, owner: ownerOf(elsewhere()), ttl: 1_000_000 };
const forgedRecord = {
  op: "put",
  record: { key: "x", uid: "u-x", kind: "os:Command", props: { delete: "x" }, ready: [9] },
};

/** Adds a forged line at the end of the newest entry. */
async function forgeLine(store: StateStore, members: Json): Promise<void> {
  const key = await newestIn(store, keys.entries);
  const last = await lastLine(store);
  const { seq, session } = bodyOf(last);
  await store.set(key, `${await store.get(key)}${textOf({ seq, session, prev: digestOf(last), ...members })}`);
}

describe.each([true, false])("a stage that another session has open (append: %s)", (append) => {
  test("by a line without a MAC is neither waited for nor taken over", async () => {
    for (const members of [{ open }, { open: { ...open, ttl: 1 } }, { grows: true, open, ops: [forgedRecord] }]) {
      const { world, stage, program } = await stageIn(append);
      await forgeEntry(stage.store, members);
      const before = await all(stage.store);
      for (const run of [program, () => {}]) {
        expect(told(await failureOf(stage.up(run)))).toMatch(FORGED);
        expect(stage.heard("state:waiting")).toEqual([]);
        expect(world.news()).toEqual([]);
      }
      const settings = sessionSettings(await closedApp(stage), stage.store);
      expect(told(await failureOf(unlock(settings, { force: true })))).toMatch(FORGED);
      expect(await all(stage.store)).toEqual(before);
    }
  });

  test("is waited for as long as forged lines let it seem alive, and no forged record is acted on", async () => {
    const { world, stage, program } = await stageIn(append);
    const session = await openElsewhere(stage);
    let beats = 0;
    const beating = setInterval(() => void stage.store.set(keys.lease(session), String(++beats)), 5);
    try {
      const refused = told(await failureOf(stage.up(program, { lockTimeout: 200 })));
      expect(refused).toMatch(/^EngineError STATE_LOCKED .*ada@far-away/);
      expect(world.news()).toEqual([]);
    } finally {
      clearInterval(beating);
    }
  });

  test.each(["-1", "", "x", "9".repeat(40), "{}"])("is no other one for a lease that says %j", async (lease) => {
    const { world, stage, program } = await stageIn(append);
    const session = await openElsewhere(stage, 60);
    // The other session sends no more heartbeats.
    const stateStore = memoryStore({ append });
    await put(stateStore, await all(stage.store));
    await stateStore.set(keys.lease(session), lease);
    const here = secretStage({ stateStore, rootDir });
    await here.up(program);
    expect(here.heard("state:taken-over")).toHaveLength(1);
    expect(world.news()).toEqual([]);
  });

  test("is refused after another program adds to it during the wait", async () => {
    const additions = [
      { ops: [forgedRecord] },
      { close: { outcome: "done", summary: {} } },
      { ops: [forgedRecord], close: { outcome: "done", summary: {} } },
    ];
    for (const addition of additions) {
      const { world, stage, program } = await stageIn(append);
      await openElsewhere(stage);
      const waiting = failureOf(stage.up(program, { lockTimeout: 60_000 }));
      await until(() => stage.heard("state:waiting").length > 0);
      await (append ? forgeLine(stage.store, addition) : forgeEntry(stage.store, addition));
      expect(told(await waiting)).toMatch(FORGED);
      expect(world.news()).toEqual([]);
    }
  });

  test("is refused if another program writes between the load and the first change of a run", async () => {
    for (const members of [
      { open, ops: [forgedRecord] },
      { open, close: { outcome: "done", summary: {} } },
    ]) {
      const { world, Thing, stage } = await stageIn(append);
      const program = async (_app: Scope) => {
        await forgeEntry(stage.store, members);
        await Thing("new", {});
      };
      expect(told(await failureOf(stage.up(program)))).toMatch(FORGED);
      expect(world.news()).toEqual([]);
    }
  });

  test("is refused if another program writes into it in mid-run", async () => {
    const { world, Thing, stage, program } = await stageIn(append);
    world.on("create first", async () => {
      await (append ? forgeLine : forgeEntry)(stage.store, { ops: [forgedRecord] });
    });
    await failureOf(
      stage.up(async () => {
        await program();
        await Thing("first", {});
        await Thing("second", {});
      }),
    );
    // This run continues from its own state, or is fenced; the next one meets the added line, or a checkpoint without
    // it.
    const calls = world.news();
    expect(calls.filter((call) => !/^create (first|second)$/.test(call))).toEqual([]);
    const refused = told(await failureOf(stage.up(program, { destroyOrphans: false })));
    expect(refused).toMatch(/^nothing|^EngineError STATE_(FORGED|CORRUPT) /);
    expect(world.news()).toEqual([]);
  });
});
