import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { KeptData } from "../../core/state/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { Keyring } from "../../plugins/secrets/keyring.js";
import { COST, PASSWORD } from "../helpers/apps/secret-stage.ts";
import { Stage } from "../helpers/apps/stage.ts";
import { World } from "../helpers/apps/world.ts";
import { deadProcess, ownerOf } from "../helpers/stores/ledgers.ts";
import { bodyOf, keys, linesOf, newestIn } from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { changeData, sessionOn } from "./stages.ts";

const HOME = { path: "/", fqn: "app/dev", opener: { password: PASSWORD } };

/**
 * A session with a change of its own, whose process has ended as far as others can see; `bring` adds a key with another
 * change.
 */
async function session(stage: Stage) {
  const ledger = await sessionOn(stage, { opener: { password: PASSWORD }, owner: ownerOf(await deadProcess()) });
  await changeData(ledger, [1]);
  const bring = async (): Promise<void> => {
    await new Keyring(new KeptData(ledger, "secrets"), COST).renew(HOME);
    await changeData(ledger, [2]).catch(() => {});
    await ledger.letGo();
  };
  return { bring };
}

/**
 * The store as the run that takes over sees it: something happens before it has made its entry, or between that and its
 * next request.
 */
function withIn(store: StateStore, when: "before" | "after", seq: number, act: () => Promise<void>): StateStore {
  let isDone = false;
  return {
    ...store,
    async create(key, value, options) {
      const isIt = key === keys.entry(seq) && !isDone;
      isDone ||= isIt;
      if (isIt && when === "before") await act();
      const isMade = await store.create(key, value, options);
      if (isIt && when === "after") await act();
      return isMade;
    },
  };
}

/** Agrees to seal a stage that was never sealed. */
const YES = definePlugin({ name: "yes", apply: ({ hooks }) => hooks.ask.tap("yes", () => true) });

/**
 * As a line in the middle of an entry, the key preceded an `open` of another session, made under the key or without
 * one. That never fits again, and the stage could not be used any more.
 */
describe.each([true, false])("a key that a session brings after its first change (append: %s)", (append) => {
  test.each([
    ["another key", PASSWORD, "before"],
    ["another key", PASSWORD, "after"],
    ["the first key", undefined, "before"],
    ["the first key", undefined, "after"],
  ] as const)(
    "does no harm to a stage that is taken over meanwhile: %s, password %s, %s",
    async (_which, password, when) => {
      const world = new World();
      const Thing = world.type();
      const store = memoryStore({ append });
      const stage = new Stage({ stateStore: store }, { plugins: [secrets({ cost: COST }), YES] });
      const program = () => Thing("a", {});
      const more = async () => [await program(), await Thing("b", {})];
      await stage.up(program, { password });
      const { bring } = await session(stage);
      const next = Number((await newestIn(store, keys.entries)).slice(-12)) + 1;
      const other = withIn(store, when, next, bring);
      const refused = told(await failureOf(stage.up(more, { password, stateStore: other })));
      expect(refused).toMatch(/^(nothing|EngineError (STATE_MOVED|PASSWORD_REQUIRED)) ?/);
      world.news();
      await stage.up(program, { password: PASSWORD });
      expect(world.names).toEqual(["a#1"]);
    },
  );
});

test("a key begins an entry", async () => {
  const store = memoryStore();
  const stage = new Stage({ stateStore: store }, { plugins: [secrets({ cost: COST }), YES] });
  await stage.up((app) => app.set("x", 1), { password: PASSWORD });
  await (await session(stage)).bring();
  const lines = linesOf(await store.get(await newestIn(store, keys.entries)));
  expect(lines.map((line) => bodyOf(line).vouches !== undefined)).toEqual([true]);
});
