import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { lock, TAG } from "../../../plugins/secrets/envelope.js";
import { Keyring } from "../../../plugins/secrets/keyring.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { COST, secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";
import { rewriteState } from "../../helpers/stores/rewrite-state.ts";

const TENANT = "the tenant's own";

/** What somebody does who knows the password of a tenant, and none that opens the secrets of others. */
const forging = definePlugin({
  name: "forging",
  apply: ({ hooks }) =>
    hooks.stateLoaded.tapPromise("forging", async ({ keep, rewrite }) => {
      const keyring = new Keyring(keep("secrets"), COST);
      const key = await keyring.current({ path: "/tenant", fqn: "app/dev/tenant", opener: { password: TENANT } });
      await rewrite(TAG, (value) => lock(key, { value: "forged", name: "x" }, value));
    }),
});

test("the password of one scope makes no secrets that another one accepts", async () => {
  const Thing = new World().type();
  const stage = secretStage();
  const seen: unknown[] = [];
  const read = (id: string) => async () => void seen.push(Secret.unwrap((await Thing(id, {})).value));
  const inTenant = (fn: () => unknown) => stage.engine.run("tenant", { password: TENANT }, async () => fn());
  await stage.up(async () => {
    await Thing("a", { value: new Secret("of the app") });
    await stage.engine.run("tenants", () => Thing("b", { value: new Secret("of the app") }));
    await inTenant(() => Thing("c", { value: new Secret("of the tenant") }));
  });
  const before = await textIn(stage.store);
  const bare = new Stage({ stateStore: stage.store });
  await expect(bare.up(() => {}, { plugins: [forging], destroyOrphans: false })).rejects.toMatchObject({
    code: "PASSWORD_REQUIRED",
  });
  expect(await textIn(stage.store)).toBe(before);
  // A run that has the key of the state besides, or writes to the store without.
  await stage.up(() => {}, { plugins: [forging], destroyOrphans: false });
  const unsealed = memoryStore();
  await rewriteState(stage.store, unsealed, (text) => text);
  const reading = stage.up(() => inTenant(read("c")), { phase: "read", stateStore: unsealed });
  await expect(reading).rejects.toMatchObject({ code: "STATE_FORGED" });
  await stage.up(() => inTenant(read("c")), { phase: "read" });
  // The tenant's key is open by then.
  const after = (fn: () => unknown) => stage.up(() => inTenant(() => {}).then(fn), { phase: "read" });
  expect(await failuresOf(after(read("a")))).toMatchObject([{ code: "STATE_CORRUPT", fqn: "app/dev/a" }]);
  const other = after(() => stage.engine.run("tenants", read("b")));
  expect(await failuresOf(other)).toMatchObject([{ code: "STATE_CORRUPT", fqn: "app/dev/tenants/b" }]);
  expect(seen).toEqual(["forged"]);
});
