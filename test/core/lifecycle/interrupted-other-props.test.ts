/** Interrupted creates that are declared with other props afterwards, of a type that recognizes its tokens. */

import { describe, expect, test } from "vitest";
import type { HandlersDefinition } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { appOf } from "../../../core/run/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { gate } from "../../helpers/time/gate.js";

type Definition = HandlersDefinition<{ token: string }, { value: number }>;

/** The same token means the same object. */
function setUp(more: Partial<Definition> = {}) {
  const things = new Map<string, number>();
  const calls: string[] = [];
  const made = gate();
  const after: { create(value: number): Promise<void> } = { create: async () => made.open() };
  const definition: Definition = {
    idempotent: true,
    async create({ token, props: { value } }) {
      calls.push(`create ${value}`);
      things.set(token, value);
      await after.create(value);
      return { token };
    },
    update({ output, previous, props: { value } }) {
      calls.push(`update ${previous.value} ${value}`);
      things.set(output.token, value);
      return output;
    },
    delete({ output, props: { value } }) {
      calls.push(`delete ${value}`);
      things.delete(output.token);
    },
    ...more,
  };
  const Thing = Resource(newKind(), definition);
  const stage = new Stage();
  /** A run whose create takes effect and never answers; nothing after it reaches the state. */
  const interrupted = async (value: number): Promise<void> => {
    after.create = () => {
      made.open();
      return new Promise(() => {});
    };
    const app = await stage.open();
    void app.run(() => Thing("a", { value }));
    await made.opened;
    await appOf(app).ledger.abandon();
    after.create = async () => {};
  };
  return { things, calls, after, stage, Thing, interrupted };
}

describe("a create that was interrupted, with other props than before", () => {
  test("is finished as it was begun and then updated, so that nothing is left of it", async () => {
    const { things, calls, stage, Thing, interrupted } = setUp();
    await interrupted(1);
    await stage.up(() => Thing("a", { value: 2 }));
    expect(calls).toEqual(["create 1", "create 1", "update 1 2"]);
    expect([...things.values()]).toEqual([2]);
    expect(stage.record("a")).toMatchObject({ status: "ready", props: { value: 2 } });
    expect(stage.heard("warning")).toEqual([]);
    await stage.up(() => Thing("a", { value: 2 }));
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test.each([{ update: undefined }, { replaceOn: ["value"] as const }])(
    "is finished as it was begun and then replaced where %o says so",
    async (more) => {
      const { things, calls, stage, Thing, interrupted } = setUp(more);
      await interrupted(1);
      await stage.up(() => Thing("a", { value: 2 }));
      expect(calls).toEqual(["create 1", "create 1", "create 2", "delete 1"]);
      expect([...things.values()]).toEqual([2]);
    },
  );

  test("that cannot be finished fails the run, and is finished by one that can", async () => {
    const { things, after, calls, stage, Thing, interrupted } = setUp();
    await interrupted(1);
    after.create = async (value) => {
      if (value === 1) throw new Error("the first value is bad");
    };
    const message = expect.stringMatching(/the first value is bad.*engine state forget app\/dev\/a/);
    const failures = await stage.failures(() => Thing("a", { value: 2 }));
    expect(failures).toMatchObject([{ code: "HANDLER_FAILED", message }]);
    after.create = async () => {};
    await stage.up(() => Thing("a", { value: 2 }));
    expect(calls).toEqual(["create 1", "create 1", "create 1", "update 1 2"]);
    expect([[...things.values()], stage.heard("warning")]).toEqual([[2], []]);
  });

  test("declares what it declared then, and may declare it again", async () => {
    const inner = setUp();
    const declaring: Partial<Definition> = {
      async update({ output, props }) {
        await inner.Thing("b", { value: props.value });
        return output;
      },
    };
    const { after, calls, stage, Thing, interrupted } = setUp(declaring);
    await interrupted(1);
    after.create = async () => void (await inner.Thing("b", { value: 1 }));
    await stage.up(() => Thing("a", { value: 2 }));
    expect(calls).toEqual(["create 1", "create 1"]);
    expect(inner.calls).toEqual(["create 1", "update 1 2"]);
  });
});

describe("a create that is finished as it was begun, and then updated: the update may", () => {
  /** Returns the recorded keys after both handlers declared their resources in their scopes. */
  async function recorded(began: readonly Naming[], then: readonly Naming[]): Promise<readonly string[]> {
    const Inner = setUp().Thing;
    const declare = async (named: readonly Naming[]): Promise<void> => {
      for (const { scope, id, aliases, was } of named) {
        const inside = async () => void (await Inner(id, { value: 1 }, aliases ? { aliases } : {}));
        await (scope === undefined ? inside() : stage.engine.run(scope, was ? { aliases: was } : {}, inside));
      }
    };
    const { after, stage, Thing } = setUp({
      async update({ output }) {
        await declare(then);
        return output;
      },
    });
    after.create = () => Promise.reject(new Error("lost"));
    await stage.failures(() => Thing("a", { value: 1 }));
    after.create = () => declare(began);
    await stage.up(() => Thing("a", { value: 2 }));
    return stage.keys;
  }

  const [inX, inZ, inY] = [
    { scope: "x", id: "b" },
    { scope: "z", id: "b", was: ["x"] },
    { scope: "y", id: "b", was: ["x", "z"] },
  ];
  const [b, c, d] = [{ id: "b" }, { id: "c", aliases: ["b"] }, { id: "d", aliases: ["b", "c"] }];

  test.each<[string, Naming, Naming, string]>([
    ["rename the scope that the create entered", inX, inZ, "z/b"],
    ["rename that scope back", inZ, inX, "x/b"],
    ["rename it once more, or into another one", inZ, inY, "y/b"],
    ["rename what the create declared", b, c, "c"],
    ["rename that once more", c, d, "d"],
    ["rename that back", c, b, "b"],
  ])("%s", async (_what, began, then, key) => {
    expect(await recorded([began], [then])).toEqual(["a", `a/${key}`]);
  });
});

interface Naming {
  readonly scope?: string;
  readonly id: string;
  /** Earlier names of the resource. */
  readonly aliases?: readonly string[];
  /** Earlier names of the scope. */
  readonly was?: readonly string[];
}
