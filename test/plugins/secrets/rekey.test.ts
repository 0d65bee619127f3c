import { expect, test } from "vitest";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rekey } from "../../helpers/apps/admin-tools.ts";
import { COST, PASSWORD, secretStage } from "../../helpers/apps/secret-stage.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

test("an update that failed keeps its token when its secrets are encrypted anew", async () => {
  const world = new World();
  const Thing = world.type();
  const stage = secretStage();
  const program = (size: number) => stage.up(() => Thing("a", { value: { password: new Secret("stays"), size } }));
  await program(1);
  const tokens: string[] = [];
  world.on("update a", ({ token }) => {
    tokens.push(token);
    throw new Error("not now");
  });
  await failuresOf(program(2));
  const options = { stage: "dev", stateStore: stage.store, password: PASSWORD, cost: COST, env: {} };
  // In the props before the update and after it, which are the same, and in the output.
  expect(await rekey("app", options)).toBe(2);
  await failuresOf(program(2));
  expect(tokens[1]).toBe(tokens[0]);
  world.calm();
  await program(2);
  await program(2);
  expect(stage.summary).toEqual({ skipped: 1 });
});
