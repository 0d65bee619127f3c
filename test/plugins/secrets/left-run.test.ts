import { expect, test } from "vitest";
import { isSecret, Secret } from "../../../plugins/secrets/secret.js";
import { secretStage } from "../../helpers/apps/secret-stage.ts";

test("a secret that nobody waits for is recorded although the run is left without finalize", async () => {
  const stage = secretStage();
  const app = await stage.open();
  void app.set("token", new Secret("of the program"));
  await app[Symbol.asyncDispose]();
  const read: unknown[] = [];
  await stage.up(async (again) => void read.push(await again.get("token")));
  expect(read.map((value) => isSecret(value) && value.unencrypted)).toEqual(["of the program"]);
});
