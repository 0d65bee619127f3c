/** Each oracle finds its fault: with a store, a world or a run that is broken on purpose. */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machineOfItsOwn } from "../helpers/processes/own-machine.js";
import { contentAfter, copyOf, damageIn, flawsOf, newFolder, type Recovery } from "./aftermath.js";
import type { DefectName } from "./defects.js";
import { doom, pointsOf } from "./doomed.js";
import { type Called, FileWorld } from "./file-world.js";
import { drained } from "./oracles.js";
import { places } from "./places/fs.js";
import { look } from "./seen.js";

machineOfItsOwn();

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true }));

/** Kills the program "first" in the folder, at the first point of that name. */
async function kill(point: string, more: { defect?: DefectName; isSealed?: true } = {}): Promise<void> {
  const dry = await newFolder();
  const here = { places: places.name };
  const at = (
    await pointsOf({ ...here, folder: dry, order: { program: "first", ...more, defect: undefined } })
  ).indexOf(point);
  await rm(dry, { recursive: true });
  const order = { program: "first", ...more, doom: { at, ending: "killed" } } as const;
  expect(await doom({ ...here, folder, order })).toMatchObject({ point, signal: "SIGKILL" });
}

/** The oracles that find a fault, each once. */
function oraclesIn(flaws: readonly string[]): string[] {
  return [...new Set(flaws.map((flaw) => flaw.slice(0, flaw.indexOf(":"))))];
}

async function damage(isSealed = false): Promise<string[]> {
  return oraclesIn(await damageIn(places, folder, "first", isSealed));
}

async function flaws(more: Partial<Recovery> = {}): Promise<string[]> {
  const expected = await contentAfter(places, "first");
  return oraclesIn(await flawsOf({ places, folder, program: "first", settings: "usual", expected, ...more }));
}

describe("before anything is made good", () => {
  test("a store that drops a line that it has acknowledged is found out: the state does not load", async () => {
    await kill("create plain took effect", { defect: "drops" });
    expect(await damage()).toContain("loads");
  });

  test("an engine whose intent is not durable before its handler is found out", async () => {
    await kill("create blind begins", { defect: "early" });
    expect(await damage()).toContain("intended");
  });

  test("and so is an unrecorded resource of such a handler", async () => {
    await kill("create blind took effect", { defect: "early" });
    expect(await damage()).toEqual(expect.arrayContaining(["known", "intended"]));
  });

  test("an engine whose results are not durable before the next handler is found out", async () => {
    await kill("create read begins", { defect: "late" });
    expect(await damage()).toContain("inTurn");
  });

  test("an end that leaves a result unrecorded is found out", async () => {
    await kill("create read has replied");
    const found = drained(await look(places, folder));
    expect(found).toEqual(["the session is still open", "create of app/dev/read had ended, and is still pending"]);
  });

  test("a line that has no seal is found out where the stage has a key", async () => {
    await kill("create read begins");
    expect(await damage(true)).toEqual(["sealed"]);
  });

  test.each([undefined, true] as const)(
    "a sound store and engine show nothing at the same points (under a key: %s)",
    async (isSealed) => {
      await kill("create read begins", { isSealed });
      expect(await damage(isSealed)).toEqual([]);
    },
  );
});

describe("once it is made good", () => {
  class IgnoringTokens extends FileWorld {
    override make(context: Called, kind: string, value: unknown): string {
      return super.make(context, kind, value);
    }
  }
  class KeepingThings extends FileWorld {
    override remove(): void {}
  }
  class LosingThings extends FileWorld {
    override make(context: Called, kind: string, value: unknown, name?: string): string {
      const thing = super.make(context, kind, value, name);
      super.remove(context, kind, thing);
      return thing;
    }
  }
  class Silent extends FileWorld {
    override warn(): void {}
  }
  class Changing extends FileWorld {
    override make(context: Called, kind: string, _value: unknown, name?: string): string {
      return super.make(context, kind, "other", name);
    }
  }

  test("a world that ignores tokens is found out: a resource exists twice, and the first is unrecorded", async () => {
    await kill("create token took effect");
    expect(await flaws({ makeWorld: (at) => new IgnoringTokens(at) })).toEqual(
      expect.arrayContaining(["once", "known", "content"]),
    );
  });

  test("a delete that deletes nothing is found out", async () => {
    await kill("the end");
    expect(await flaws({ program: "nothing", expected: [], makeWorld: (at) => new KeepingThings(at) })).toEqual(
      expect.arrayContaining(["known", "content"]),
    );
  });

  test("a record of a missing resource is found out", async () => {
    await kill("create blind begins");
    expect(await flaws({ makeWorld: (at) => new LosingThings(at) })).toEqual(
      expect.arrayContaining(["settled", "content"]),
    );
  });

  test("a create that is repeated silently is found out", async () => {
    await kill("create blind took effect");
    expect(await flaws({ makeWorld: (at) => new Silent(at) })).toContain("surfaced");
  });

  test("a create that is dropped silently, though its effect is unknown, is found out", async () => {
    await kill("create blind took effect");
    const silent = { program: "nothing", expected: [], makeWorld: (at: string) => new Silent(at) };
    expect(await flaws(silent)).toContain("settled");
  });

  test("a world that is not as it was declared is found out", async () => {
    await kill("create blind begins");
    expect(await flaws({ makeWorld: (at) => new Changing(at) })).toEqual(["content"]);
  });

  test.each(["destroying", "restless"])("a program that never comes to rest is found out (%s)", async (restless) => {
    await kill("create blind begins");
    const expected = await contentAfter(places, restless);
    expect(await flaws({ program: restless, expected })).toContain("idle");
  });

  test("work that is left over once finalize() has resolved is found out", async () => {
    await kill("create blind begins");
    expect(await flaws({ isOver: true })).toEqual(["idle"]);
  });

  test("a state that was put back as it was earlier is found out where the stage has a key", async () => {
    await kill("create read begins", { isSealed: true });
    const older = await copyOf(places, folder);
    expect(await flaws({ isSealed: true })).toEqual([]);
    await rm(join(folder, "state"), { recursive: true });
    await cp(join(older, "state"), join(folder, "state"), { recursive: true });
    await rm(older, { recursive: true });
    expect(await flaws({ isSealed: true })).toContain("trusted");
  });

  test("a run that fails is found out", async () => {
    await kill("create blind begins");
    expect(await flaws({ program: "failing" })).toContain("fails");
  });

  test("a sound world and engine show nothing at the same points", async () => {
    await kill("create blind took effect");
    expect(await flaws()).toEqual([]);
  });
});
