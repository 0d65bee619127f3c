/** Which password seals the configuration of a provider. */
import { expect, test } from "vitest";
import { scopeOwner } from "../../../../core/contract/index.js";
import { appOf } from "../../../../core/run/index.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

test("the password of the app opens the configuration of a provider in a scope with a password of its own", async () => {
  const { stage, fixture } = await made();
  const app = await stage.up(() =>
    stage.engine.run("tenants", { password: "the tenants'" }, async () => {
      await fixture({ token: "canary-token" }).thing!("one", { name: "a" });
    }),
  );
  const { data } = appOf(app).ledger.contents;
  const copies = ["", "tenants"].map((path) => data.get(scopeOwner(path))?.get("terraform:provider:tenants/fixture"));
  expect(copies).toEqual([undefined, expect.anything()]);
  expect(await stage.failures(() => {}, { phase: "destroy" })).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
});
