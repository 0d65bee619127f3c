/** Objects that a type finds by name alone, and that existed before: the engine never deletes them. */

import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { appOf } from "../../../core/run/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { gate } from "../../helpers/time/gate.js";

const NAME = "app-a-dev";

/** A service of named objects, in which the name may be taken already. */
function setUp({ recognizesOwn = false }: { readonly recognizesOwn?: boolean } = {}) {
  const things = new Map<string, string>();
  const calls: string[] = [];
  const acts = new Map<string, () => Promise<void>>();
  /** Also called when the handler's work is done: `created`, `updated`. */
  const called = async (call: string): Promise<void> => {
    if (!call.endsWith("d") || call === "read") calls.push(call);
    return acts.get(call)?.();
  };
  const Named = Resource<{ readonly name: string }, { readonly text?: string }>(newKind(), {
    recognizesOwn,
    async create({ physicalName, props }) {
      await called("create");
      if (things.has(physicalName)) throw new Error(`${physicalName} already exists`);
      things.set(physicalName, props.text ?? "ours");
      await called("created");
      return { name: physicalName };
    },
    async read({ output, physicalName }) {
      await called("read");
      const name = output?.name ?? physicalName;
      return things.has(name) ? { name } : undefined;
    },
    async update({ output, props }) {
      await called("update");
      things.set(output.name, props.text ?? "ours");
      await called("updated");
      return output;
    },
    async delete({ output }) {
      await called("delete");
      things.delete(output.name);
    },
  });
  const stage = new Stage();
  /** A run that is killed at the given call; nothing after it is recorded. */
  const killed = async (at: string, program: () => unknown): Promise<void> => {
    const reached = gate();
    acts.set(at, () => {
      reached.open();
      return new Promise(() => {});
    });
    const app = await stage.open();
    void app.run(async () => await program());
    await reached.opened;
    await appOf(app).ledger.abandon();
    acts.clear();
  };
  /** An adoption of "a" that is killed at the given call. */
  const adopting = (at: string, options = {}): Promise<void> => {
    things.set(NAME, "theirs");
    return killed(at, () => Named("a", {}, { adopt: true, ...options }));
  };
  const unresolved = (): unknown[] => stage.heard("warning").filter(({ code }) => code === "UNRESOLVED");
  return { things, calls, acts, Named, stage, killed, adopting, unresolved };
}

describe("a create that was killed before its handler did anything, where a thing of that name was there,", () => {
  async function interrupted() {
    const all = setUp();
    all.things.set(NAME, "theirs");
    await all.killed("create", () => all.Named("a"));
    return all;
  }

  test("deletes nothing when the line is dropped: its record stays, and the run says what to do", async () => {
    const { things, stage, unresolved } = await interrupted();
    await stage.up();
    expect(things.get(NAME)).toBe("theirs");
    expect(stage.record("a")).toMatchObject({ status: "creating" });
    expect(unresolved()).toMatchObject([{ message: expect.stringMatching(/adopt.*engine state forget app\/dev\/a/s) }]);
    expect(stage.heard("run:finished")).toMatchObject([{ summary: { left: 1 } }]);
  });

  test("changes nothing when it is declared again: it fails, and says what to do", async () => {
    const { things, stage, Named } = await interrupted();
    const failures = await stage.failures(() => Named("a"));
    expect(failures).toMatchObject([{ code: "UNRESOLVED", fqn: "app/dev/a" }]);
    expect(String(failures[0])).toMatch(/adopt.*engine state forget app\/dev\/a/s);
    expect(things.get(NAME)).toBe("theirs");
  });

  test.each(["destroy", "plan"] as const)("deletes nothing in a %s, which says so", async (what) => {
    const { things, stage, Named } = await interrupted();
    const run = what === "plan" ? stage.plan(() => Named("a")) : stage.destroy();
    await expect(run).rejects.toMatchObject({ errors: [{ code: "UNRESOLVED", fqn: "app/dev/a" }] });
    expect(things.get(NAME)).toBe("theirs");
  });

  test("is adopted where the program says so, and is the engine's from then on", async () => {
    const { things, stage, Named } = await interrupted();
    await stage.up(() => Named("a", {}, { adopt: true }));
    expect(stage.summary).toEqual({ adopted: 1 });
    expect(stage.record("a")?.claim).toBeUndefined();
    expect(things.get(NAME)).toBe("ours");
    await stage.up();
    expect(things.size).toBe(0);
  });
});

describe("a create that was killed, where nothing was there before,", () => {
  test.each([{ recognizesOwn: false }, { recognizesOwn: true }])(
    "goes on with what it made, and deletes that where it is dropped (%o)",
    async (options) => {
      const { things, calls, stage, Named, killed } = setUp(options);
      await killed("created", () => Named("a"));
      expect(calls).toEqual(options.recognizesOwn ? ["create"] : ["read", "create"]);
      await stage.up(() => Named("a"));
      expect(stage.summary).toEqual({ updated: 1 });
      expect(stage.record("a")?.claim).toBeUndefined();
      await stage.up();
      await killed("created", () => Named("a"));
      await stage.up();
      expect(things.size).toBe(0);
    },
  );

  test("and again in the update that followed, is deleted where it is dropped", async () => {
    const { things, stage, Named, killed } = setUp();
    await killed("created", () => Named("a"));
    await killed("update", () => Named("a"));
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(things.size).toBe(0);
  });
});

describe("the look before a create", () => {
  test("that fails fails it, and nothing is made or recorded", async () => {
    const { acts, calls, stage, Named } = setUp();
    acts.set("read", async () => {
      throw new Error("no network");
    });
    expect(await stage.failures(() => Named("a"))).toMatchObject([
      { message: 'read of "app/dev/a" failed: no network' },
    ]);
    expect(recordsOf(await stage.open({ phase: "read" }))).toEqual([]);
    expect(calls).toEqual(["read"]);
  });

  test("is made again as the retry says", async () => {
    const { acts, calls, stage, Named } = setUp();
    acts.set("read", async () => {
      acts.clear();
      throw new Error("no network");
    });
    await stage.up(() => Named("a", {}, { retry: { attempts: 2, delay: 1 } }));
    expect(calls).toEqual(["read", "read", "create"]);
  });

  test("that cannot tell lets it go on, and what is found after an interruption is not claimed", async () => {
    const { things, acts, stage, Named, killed } = setUp();
    const failing = killed("created", () => Named("a"));
    acts.set("read", async () => {
      acts.delete("read");
      throw new EngineError("UNRESOLVED", "who knows");
    });
    await failing;
    await stage.up();
    expect([...things.values()]).toEqual(["ours"]);
  });

  test("is not made for a type that recognizes its own, nor for one without read", async () => {
    const { calls, stage, Named } = setUp({ recognizesOwn: true });
    await stage.up(() => Named("a"));
    expect(calls).toEqual(["create"]);
  });
});

test("a record of an earlier version, which looked at nothing, claims nothing", async () => {
  const { things, stage, Named, killed, unresolved } = setUp();
  await killed("created", () => Named("a"));
  await forgetClaim(stage);
  await stage.up();
  expect([things.size, unresolved().length]).toEqual([1, 1]);
});

describe("an adoption that was killed", () => {
  test.each(["update", "updated"])(
    "(%s) is forgotten where it is no longer declared, and deletes nothing",
    async (at) => {
      const { things, calls, stage, adopting } = setUp();
      await adopting(at);
      await stage.up();
      expect([stage.keys, things.has(NAME), calls.includes("delete")]).toEqual([[], true, false]);
      const reason = expect.stringContaining("adoption did not finish");
      expect(stage.heard("resource:retained")).toMatchObject([{ fqn: "app/dev/a", reason }]);
    },
  );

  test.each([{ phase: "destroy" } as const, { maxDeletes: 0 }])("is forgotten with %o, too", async (options) => {
    const { things, stage, adopting } = setUp();
    await adopting("update", { protect: true });
    await stage.up(() => {}, options);
    expect([stage.keys, things.get(NAME)]).toEqual([[], "theirs"]);
  });

  test("is a first create where it is declared without adopt", async () => {
    const { things, calls, stage, Named, adopting } = setUp();
    await adopting("update");
    calls.length = 0;
    expect(await stage.failures(() => Named("a"))).toMatchObject([
      { message: expect.stringContaining("already exists") },
    ]);
    expect(calls).toEqual(["read", "create"]);
    expect(things.get(NAME)).toBe("theirs");
  });

  test("is adopted by the next run that says so", async () => {
    const { stage, Named, adopting } = setUp();
    await adopting("updated");
    await stage.up(() => Named("a", {}, { adopt: true }));
    expect(stage.summary).toEqual({ adopted: 1 });
    expect(stage.record("a")).toMatchObject({ status: "ready", claim: undefined });
  });

  test("as part of a parent that is replaced is not deleted with the old copy", async () => {
    const { things, stage, Named, killed } = setUp();
    things.set("app-a-part-dev", "theirs");
    const Whole = Resource<object, { readonly name: string; readonly has?: boolean }>(newKind(), {
      replaceOn: ["name"],
      async create({ props }) {
        if (props.has) await Named("part", {}, { adopt: true });
        return {};
      },
      update: ({ output }) => output,
      delete: () => {},
      read: () => ({}),
      recognizesOwn: true,
    });
    await killed("update", () => Whole("a", { name: "x", has: true }));
    await stage.up(() => Whole("a", { name: "y" }));
    expect(things.get("app-a-part-dev")).toBe("theirs");
  });

  test("by an earlier version, which did not record that, is left alone until the program says", async () => {
    const { things, stage, Named, unresolved, adopting } = setUp();
    await adopting("update");
    await forgetClaim(stage);
    await stage.up();
    expect([stage.keys, things.get(NAME), unresolved().length]).toEqual([["a"], "theirs", 1]);
    expect(await stage.failures(() => Named("a"))).toMatchObject([{ code: "UNRESOLVED", fqn: "app/dev/a" }]);
    await stage.up(() => Named("a", {}, { adopt: true }));
    expect(stage.summary).toEqual({ adopted: 1 });
    await stage.up();
    expect(things.size).toBe(0);
  });
});

/** Removes the claim from the record of "a", as an earlier version left it. */
async function forgetClaim(stage: Stage): Promise<void> {
  const app = await stage.open();
  const { ledger } = appOf(app);
  const uid = ledger.contents.at("a")?.uid ?? "";
  await ledger.commit([{ op: "patch", uid, set: {}, unset: ["claim"] }], "now");
  await app.finalize({ noop: true });
}
