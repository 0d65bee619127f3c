import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { memoryStore } from "../../adapters/memory/index.js";
import { EngineError, failureNote, isEngineError, RunFailedError } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";
import { holder } from "../helpers/time/held.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stage-holder-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A store like a bucket: it cannot append, and each answer takes a turn. */
function distantStore(): StateStore {
  const store = memoryStore({ append: false });
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || name === "iterator" || name === "list") return member;
      return async (...args: unknown[]): Promise<unknown> => {
        await new Promise((resolve) => setImmediate(resolve));
        return Reflect.apply(member, target, args);
      };
    },
  });
}

const stores: readonly (readonly [string, () => StateStore])[] = [
  ["files", () => fsStoreAt(folder)],
  ["a distant store", distantStore],
];

describe.each(stores)("who has a stage, in %s", (_, made) => {
  it("is data of the error: at the start, before a handler, and at the end of the run", async () => {
    const world = new World();
    const Thing = world.type();
    const stateStore = made();
    const [first, second] = [new Stage({ stateStore }), new Stage({ stateStore })];
    const [has, late] = [await first.open(), await second.open()];
    await has.run(() => Thing("a"));
    const expected = { pid: process.pid, command: "up", process: "runs", ttl: 20_000, since: expect.any(String) };

    const refused = await rejection(new Stage({ stateStore }).open());
    expect(refused).toMatchObject({ code: "STATE_LOCKED", holder: expected });
    const declared = await rejection(late.run(() => Thing("b")));
    expect(declared).toMatchObject({ code: "STATE_LOCKED", holder: expected });
    const ended = await rejection(late.finalize());
    if (!(ended instanceof RunFailedError)) throw ended;
    expect(ended.errors.every((error) => isEngineError(error, "STATE_LOCKED") && error.holder)).toBe(true);
    expect(second.heard("run:finished")[0]).toMatchObject({ errors: [{ code: "STATE_LOCKED", holder: expected }] });

    await has.finalize();
    await stateStore.close?.();
  });
});

describe("an error that stands in place of its cause", () => {
  const locked = new EngineError("STATE_LOCKED", "No.", { holder });

  it("has the holder of that, of the same code alone", () => {
    expect(new EngineError("STATE_LOCKED", "a: No.", { cause: locked }).holder).toEqual(holder);
    expect("holder" in new EngineError("PLUGIN_FAILED", "a: No.", { cause: locked })).toBe(false);
  });

  it("gives its holder to events, and nothing where it has none", () => {
    expect(failureNote(locked)).toMatchObject({ code: "STATE_LOCKED", holder });
    expect("holder" in failureNote(new EngineError("FENCED", "No."))).toBe(false);
  });
});
