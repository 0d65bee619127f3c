/** A state whose encrypted values are changed by an attacker. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { appOf } from "../../../core/run/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { PASSWORD, secretStage } from "../../helpers/apps/secret-stage.ts";
import { World } from "../../helpers/apps/world.ts";
import { rewriteState } from "../../helpers/stores/rewrite-state.ts";

export const world = new World();
export const Thing = world.type();

/**
 * Seven secrets: two resources with secrets in props and output, one of them nested; one in data, one in a child
 * scope's data.
 */
export async function program(stage: ReturnType<typeof secretStage>, mark = ""): Promise<void> {
  await stage.up(async (app) => {
    await app.set("token", new Secret(`${mark} data of the root`));
    await stage.engine.run("child", (scope) => scope.set("token", new Secret(`${mark} data of the child`)));
    await Thing("a", { value: new Secret(`${mark} of a`) });
    await Thing("b", { value: { deep: [new Secret(`${mark} of b`), new Secret(`${mark} also of b`)] } });
  });
}

/** Every place with its value, or with the error of reading it. */
export async function readAll(store: StateStore): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const note = async (place: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      found.set(place, String(Object(await read()).unencrypted));
    } catch (error) {
      found.set(place, `${Object(error).code} ${Object(error).message}`);
    }
  };
  const stage = secretStage({ stateStore: store });
  const app = await stage.open({ phase: "read" });
  const { codec, ledger } = appOf(app);
  for (const { uid, key, props, output = null } of ledger.contents.records.values()) {
    const at = { scope: app, fqn: `app/dev/${key}`, owner: uid };
    for (const [slot, encoded] of [
      ["props", props],
      ["output", output],
    ] as const) {
      const text = JSON.stringify(encoded);
      const count = text.split('"$secret"').length - 1;
      const decode = async () => codec.decode(encoded, { ...at, slot });
      if (count === 1) await note(`${key} ${slot}`, async () => Object(await decode()).value);
      else
        for (const index of [0, 1])
          await note(`${key} ${slot} ${index}`, async () => Object(await decode()).value.deep[index]);
    }
  }
  await note("data", () => app.get("token"));
  await app.run(() => stage.engine.run("child", (scope) => note("data of child", () => scope.get("token"))));
  await app.finalize().catch(() => {});
  return found;
}

/**
 * Changes the state and seals it again with its own key, to test the other bindings of a secret. Without the key, the
 * changed state is refused.
 */
export async function tampered(from: StateStore, change: (text: string) => string, refusal = "STATE_FORGED") {
  const [sealed, unsealed] = [memoryStore(), memoryStore()];
  await rewriteState(from, sealed, change, { password: PASSWORD });
  await rewriteState(from, unsealed, change);
  await expect(secretStage({ stateStore: unsealed }).open()).rejects.toMatchObject({ code: refusal, fqn: "app/dev" });
  return sealed;
}

export const CIPHERTEXT = /(?<="\$secret":\["[^"]+",")[^"]+/g;

/** @param stride distance between two changed bytes */
export function doNotDecryptChanged(stride: number): void {
  test("of which any byte was changed do not decrypt", async () => {
    const stage = secretStage();
    await stage.up(() => Thing("a", { value: new Secret("of a") }));
    let text = "";
    await rewriteState(stage.store, memoryStore(), (found) => (text = found));
    const [ciphertext = ""] = text.match(CIPHERTEXT) ?? [];
    const bytes = Buffer.from(ciphertext, "base64");
    expect(bytes.length).toBe(12 + 64 + 16);
    for (let index = 0; index < bytes.length; index += stride) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ (1 << (index % 8));
      const store = await tampered(stage.store, (found) => found.replace(ciphertext, changed.toString("base64")));
      const read = await readAll(store);
      expect([...read.values()].filter((value) => value.startsWith("STATE_CORRUPT"))).toHaveLength(1);
      expect([...read.values()].join()).toContain('The secret at "/value" in the ');
    }
    for (const other of ["", "AA", ciphertext.slice(4), `${ciphertext}AAAA`, "no base64!"]) {
      const store = await tampered(stage.store, (found) => found.replace(ciphertext, other));
      expect([...(await readAll(store)).values()].join()).toContain("STATE_CORRUPT");
    }
  });
}
