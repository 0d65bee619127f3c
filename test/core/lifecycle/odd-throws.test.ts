/** What is thrown may be anything: it fails the resource that threw it, and is told as that. */
import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, Stage } from "../../helpers/apps/stage.js";

const refusing = (): never => {
  throw new Error("not for your eyes");
};

class Odd extends Error {
  override get message(): string {
    return refusing();
  }

  override get stack(): string {
    return refusing();
  }
}

/** Throws, when it is looked at, what cannot be read either. */
const refusingTwice = (): never => {
  throw new Odd();
};

const odd: Readonly<Record<string, () => unknown>> = {
  "an error whose message cannot be read": () => new Odd(),
  "an object that is no text": () => ({ toString: refusing }),
  "an object that says so in an error whose message cannot be read": () => ({ toString: refusingTwice }),
  "an object without a prototype": () => Object.create(null),
  "what nobody may look at": () =>
    new Proxy({}, { get: refusing, has: refusing, ownKeys: refusing, getPrototypeOf: refusing }),
};

describe.each(Object.entries(odd))("%s, when it is thrown", (_, make) => {
  test("by a handler, fails that resource, whose record stays", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", () => {
      throw make();
    });
    const failures = await failuresOf(stage.up(() => Promise.allSettled([Thing("a"), Thing("b")])));
    expect(failures).toMatchObject([
      { code: "HANDLER_FAILED", fqn: "app/dev/a", message: expect.stringContaining("something that cannot be read") },
    ]);
    expect(stage.told).toContain("failed a");
    expect(stage.told).toContain("created b");
    world.calm();
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(world.names).toHaveLength(2);
  });

  test("by the program, fails the run", async () => {
    const stage = new Stage();
    const failures = await failuresOf(
      stage.up(() => {
        throw make();
      }),
    );
    expect(failures).toMatchObject([{ message: expect.stringContaining("something that cannot be read") }]);
  });
});

test.each([undefined, null])("%s, when it is thrown, is told as no error that says why", async (nothing) => {
  const { world, Thing, stage } = newWorld();
  world.on("create a", () => Promise.reject(nothing));
  const message = `create of "app/dev/a" failed: it threw ${nothing}, and no error that says why`;
  expect(await failuresOf(stage.up(() => Thing("a")))).toMatchObject([{ code: "HANDLER_FAILED", message }]);
  const failures = await failuresOf(new Stage().up(() => Promise.reject(nothing)));
  expect(failures).toMatchObject([{ message: `it threw ${nothing}, and no error that says why` }]);
});

test("a message of two million characters is cut, in what is thrown, told and recorded", async () => {
  const { world, Thing, stage } = newWorld();
  world.fails("create a", "x".repeat(2e6));
  const error: unknown = await stage.up(() => Thing("a")).catch((thrown: unknown) => thrown);
  const { message } = error as Error;
  expect(message).toContain("more characters)");
  expect(message.length).toBeLessThan(12_000);
  const size = JSON.stringify(stage.events).length;
  expect(size).toBeLessThan(60_000);
  let stored = 0;
  for await (const key of stage.store.list("")) stored += (await stage.store.get(key))?.length ?? 0;
  expect(stored).toBeLessThan(60_000);
});

test("a scope that is named by a symbol is refused as any other bad name", async () => {
  const stage = new Stage();
  const run = Reflect.get(stage.engine, "run");
  const failures = await failuresOf(stage.up(() => Reflect.apply(run, undefined, [Symbol("a"), () => {}])));
  expect(failures).toMatchObject([{ code: "INVALID_NAME", message: expect.stringContaining("of type symbol") }]);
});
