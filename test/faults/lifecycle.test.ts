import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { definePlugin } from "../../core/plugin/plugin.js";
import { memoryStore } from "../../core/state/memory.js";
import { fc } from "../helpers/generated.ts";
import { storeAround } from "../helpers/store-around.js";
import type { Breakage } from "./lifecycle/life.ts";
import { lived } from "./lifecycle/lived.ts";

/** The matrix goes through many others. */
const numRuns = 20;

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-life-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

describe("a stage, whatever happens to it", () => {
  test("loses nothing, makes nothing twice, and comes to what is declared", async () => {
    await fc.assert(
      lived(
        () => rootDir,
        () => ({}),
      ),
      { numRuns },
    );
  });
});

/** A store that says of one append in ten that it is done, and has not done it. */
function forgetful() {
  let appends = 0;
  return storeAround(memoryStore(), async ({ op }, act) =>
    op === "append" && ++appends % 10 === 0 ? (true as never) : act(),
  );
}

/** A store that answers what it was asked first, for ever. */
function stale() {
  const first = new Map<string, unknown>();
  return storeAround(memoryStore(), async ({ op, key }, act) => {
    if (op !== "get") return act();
    const answer = first.get(key) ?? (await act());
    if (answer !== undefined) first.set(key, answer);
    return answer as never;
  });
}

const busy = definePlugin({
  name: "busy",
  apply: ({ hooks }) => hooks.beforeFinalize.tap("busy", ({ scope }) => scope.set("now", Math.random())),
});

const meddling = definePlugin({
  name: "meddling",
  apply({ hooks }) {
    hooks.props.tap("meddling", (context) => {
      context.props = { ...Object(context.props), value: 7 };
    });
  },
});

const silent = definePlugin({
  name: "silent",
  apply({ hooks }) {
    hooks.beforePrune.tap("silent", ({ items, keep }) => {
      for (const item of items) keep(item, "who knows");
    });
  },
});

describe("what would be wrong is found", () => {
  test.each<[string, () => Breakage, RegExp]>([
    [
      "a store that forgets what it has said is done",
      () => ({ store: forgetful() }),
      /without a mishap failed|not recorded|damaged|follow/,
    ],
    [
      "a store that answers what was there before",
      () => ({ store: stale() }),
      /without a mishap failed|not recorded|damaged|follow/,
    ],
    ["services that ignore tokens", () => ({ ignoresTokens: true }), /one resource|left after a destroy/],
    ["a run that writes though nothing has changed", () => ({ plugin: busy }), /an unchanged run wrote/],
    ["props that are not the declared ones", () => ({ plugin: meddling }), /not there as declared/],
    ["what is no longer declared, and stays", () => ({ plugin: silent }), /not declared any more/],
  ])("%s", async (_what, breakage, found) => {
    const { failed, errorInstance } = await fc.check(
      lived(() => rootDir, breakage),
      { numRuns: 300, endOnFailure: true },
    );
    expect(failed).toBe(true);
    const { actual, message } = Object(errorInstance);
    expect(String(actual ?? message)).toMatch(found);
  });
});
