/** A handler that asks for what would wait for the handler is told so at once. */
import { expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, type Stage } from "../../helpers/apps/stage.js";

test.each<[string, (stage: Stage, app: Scope) => Promise<unknown>]>([
  ["finalize()", (_, app) => app.finalize()],
  ["engine.destroy()", (stage, app) => stage.engine.destroy(app)],
])("%s of the app in a handler", async (call, ask) => {
  const { world, Thing, stage } = newWorld();
  const app = await stage.open();
  world.on("create a", async () => void (await ask(stage, app)));
  const made: unknown = await app.run(() => Thing("a")).catch((error: unknown) => error);
  expect(made).toMatchObject({
    code: "INVALID_CALL",
    fqn: "app/dev/a",
    message: expect.stringContaining(`${call} is called by the handler of "app/dev/a"`),
  });
  expect(await failuresOf(app.finalize())).toMatchObject([{ code: "INVALID_CALL" }]);
});

test("finalize() of a scope in a handler of a resource in it, but not of the resource's own scope", async () => {
  const { world, Thing, stage } = newWorld();
  let refused: unknown;
  world.on("create a", async () => {
    await Thing("child");
    await stage.engine.run("own", (own) => own.finalize());
    refused = await scope?.finalize().catch((error: unknown) => error);
  });
  let scope: Scope | undefined;
  await stage.up(() =>
    stage.engine.run("s", async (mine) => {
      scope = mine;
      await Thing("a");
    }),
  );
  expect(refused).toMatchObject({ code: "INVALID_CALL" });
  expect(world.names).toHaveLength(2);
});

test("itself, by its kind and id; another kind may have its id", async () => {
  const { world, Thing, stage } = newWorld();
  const Other = world.type();
  world.on("create a", async () => void (await Thing("a")));
  expect(await failuresOf(stage.up(() => Thing("a")))).toMatchObject([
    { code: "INVALID_CALL", fqn: "app/dev/a", message: expect.stringContaining("as it is itself") },
  ]);
  world.calm();
  world.on("create b", async ({ fqn }) => void (fqn === "app/dev/b" && (await Other("b"))));
  await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
  expect(world.names).toHaveLength(3);
});
