/** Creates that were interrupted, and are declared with other props afterwards, of a type that knows its tokens. */
import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/define.js";
import type { HandlersDefinition } from "../../../core/resource/definition.js";
import { INTERNALS } from "../../../core/scope/internals.js";
import { gate } from "../../helpers/gate.js";
import { recordOf, Stage } from "../../helpers/stage.js";
import { newKind } from "../../helpers/world.js";

type Definition = HandlersDefinition<{ token: string }, { value: number }>;

/** The same token is the same thing. */
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
  /** A run whose create takes effect and never replies; nothing more of it reaches the state. */
  const interrupted = async (value: number): Promise<void> => {
    after.create = () => {
      made.open();
      return new Promise(() => {});
    };
    const app = await stage.open();
    void app.run(() => Thing("a", { value }));
    await made.opened;
    await app[INTERNALS].app.ledger.abandon();
    after.create = async () => {};
  };
  return { things, calls, after, stage, Thing, interrupted };
}

describe("a create that was interrupted, with other props than before", () => {
  test("is finished as it was begun and then updated, so that nothing is left of it", async () => {
    const { things, calls, stage, Thing, interrupted } = setUp();
    await interrupted(1);
    const app = await stage.up(() => Thing("a", { value: 2 }));
    expect(calls).toEqual(["create 1", "create 1", "update 1 2"]);
    expect([...things.values()]).toEqual([2]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: 2 } });
    expect(stage.heard("warning")).toEqual([]);
    await stage.up(() => Thing("a", { value: 2 }));
    expect(stage.summary).toEqual({ skipped: 1 });
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

  test("that cannot be finished is made anew, with a warning that it may be there twice", async () => {
    const { things, after, calls, stage, Thing, interrupted } = setUp();
    await interrupted(1);
    after.create = async (value) => {
      if (value === 1) throw new Error("the first value is bad");
    };
    await stage.up(() => Thing("a", { value: 2 }));
    expect(calls).toEqual(["create 1", "create 1", "create 2"]);
    expect(stage.heard("warning")).toMatchObject([
      { code: "REPEATED_CREATE", fqn: "app/dev/a", message: expect.stringContaining("the first value is bad") },
    ]);
    expect([...things.values()]).toEqual([1, 2]);
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

test("a create that failed is finished and then updated in the same way: it may have taken effect", async () => {
  const { things, after, calls, stage, Thing } = setUp();
  after.create = () => Promise.reject(new Error("lost"));
  await stage.failures(() => Thing("a", { value: 1 }));
  after.create = async () => {};
  await stage.up(() => Thing("a", { value: 2 }));
  expect(calls).toEqual(["create 1", "create 1", "update 1 2"]);
  expect([...things.values()]).toEqual([2]);
  expect(stage.heard("warning")).toEqual([]);
});
