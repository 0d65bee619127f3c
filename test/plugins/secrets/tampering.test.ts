import { describe, expect, test } from "vitest";
import type { StateStore } from "../../../core/contract/store.js";
import { appOf } from "../../../core/run/app.js";
import { memoryStore } from "../../../core/state/memory.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rewriteState } from "../../helpers/rewrite-state.ts";
import { PASSWORD, secretStage, textIn } from "../../helpers/secret-stage.ts";
import { World } from "../../helpers/world.ts";

const world = new World();
const Thing = world.type();

/** Seven secrets: two resources with one in props and output each, one deep, one in data, one in a child scope's data. */
async function program(stage: ReturnType<typeof secretStage>, mark = ""): Promise<void> {
  await stage.up(async (app) => {
    await app.set("token", new Secret(`${mark} data of the root`));
    await stage.engine.run("child", (scope) => scope.set("token", new Secret(`${mark} data of the child`)));
    await Thing("a", { value: new Secret(`${mark} of a`) });
    await Thing("b", { value: { deep: [new Secret(`${mark} of b`), new Secret(`${mark} also of b`)] } });
  });
}

/** Every place, with what is read there: the value, or the error. */
async function readAll(store: StateStore): Promise<ReadonlyMap<string, string>> {
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
 * What is there, changed: in a state that is sealed by its own key, for the sake of what a secret is bound to besides. By somebody who
 * has no key, it is no state at all.
 */
async function tampered(from: StateStore, change: (text: string) => string, refusal = "STATE_FORGED") {
  const [sealed, unsealed] = [memoryStore(), memoryStore()];
  await rewriteState(from, sealed, change, { password: PASSWORD });
  await rewriteState(from, unsealed, change);
  await expect(secretStage({ stateStore: unsealed }).open()).rejects.toMatchObject({ code: refusal, fqn: "app/dev" });
  return sealed;
}

const CIPHERTEXT = /(?<="\$secret":\["[^"]+",")[^"]+/g;

describe("ciphertexts", () => {
  test("of any two places, swapped, decrypt in neither", async () => {
    const stage = secretStage();
    await program(stage);
    const sound = await readAll(stage.store);
    expect([...sound.values()].sort()).toEqual(
      [
        " of a",
        " of a",
        " of b",
        " of b",
        " also of b",
        " also of b",
        " data of the root",
        " data of the child",
      ].sort(),
    );
    let texts: readonly string[] = [];
    const same = await tampered(stage.store, (text) => {
      texts = [...text.matchAll(CIPHERTEXT)].map(([one]) => one);
      return text;
    });
    expect(texts).toHaveLength(8);
    expect(await readAll(same)).toEqual(sound);
    let pairs = 0;
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        const swapped = await tampered(stage.store, (text) =>
          text.replaceAll(one, "\0").replaceAll(other, one).replaceAll("\0", other),
        );
        const read = await readAll(swapped);
        const broken = [...read].filter(([place, value]) => value !== sound.get(place));
        // One slot is decoded as a whole: its second secret fails with the first.
        expect(broken.length).toBeGreaterThanOrEqual(2);
        for (const [place, value] of broken) {
          expect(value).toMatch(/^STATE_CORRUPT The secret at "\/\S*" in the (props|output|data) of "app\/dev/);
          expect(value, place).not.toContain("of a");
        }
        pairs++;
      }
    }
    expect(pairs).toBe(28);
  });

  test("that nobody has touched are not read either where the seal of the state is gone, whatever the run is to do", async () => {
    const stage = secretStage();
    await program(stage);
    const stateStore = memoryStore();
    await rewriteState(stage.store, stateStore, (text) => text);
    const before = await textIn(stateStore);
    const forged = secretStage({ stateStore });
    world.news();
    for (const options of [{}, { plan: true }, { phase: "read" }, { phase: "destroy" }] as const) {
      await expect(forged.up(() => {}, options)).rejects.toMatchObject({ code: "STATE_FORGED", fqn: "app/dev" });
    }
    expect(world.news()).toEqual([]);
    expect(await textIn(stateStore)).toBe(before);
  });

  test("of another stage, of another app, or of an earlier life of this one do not decrypt, with their key neither", async () => {
    const own = secretStage();
    await program(own, "own");
    const other = secretStage();
    await program(other, "other");
    let foreign = "";
    await rewriteState(other.store, memoryStore(), (text) => (foreign = text));
    const foreignKey = /(?<="\$secrets",)\[\[.*?\]\]/.exec(foreign)?.[0] ?? "";
    const foreignId = /(?<="\$secret":\[")[^"]+/.exec(foreign)?.[0] ?? "";
    expect(foreignKey).toContain("wrapped");
    const theirs = [...foreign.matchAll(CIPHERTEXT)].map(([one]) => one);
    const moved = (text: string): string => {
      let at = 0;
      return text.replace(CIPHERTEXT, () => theirs[at++] ?? "");
    };
    const read = await readAll(await tampered(own.store, moved));
    expect(read.size).toBe(8);
    for (const value of read.values()) expect(value).toMatch(/^STATE_CORRUPT/);
    // Their key is bound to their state: with it, none of this one is read.
    const withKey = (text: string): string =>
      moved(text)
        .replace(/(?<="\$secrets",)\[\[.*?\]\]/, foreignKey)
        .replace(/(?<="\$secret":\[")[^"]+/g, foreignId);
    const store = await tampered(own.store, withKey, "WRONG_PASSWORD");
    await expect(readAll(store)).rejects.toMatchObject({ code: "WRONG_PASSWORD", fqn: "app/dev" });
  });

  test("of which any byte was changed do not decrypt", async () => {
    const stage = secretStage();
    await stage.up(() => Thing("a", { value: new Secret("of a") }));
    let text = "";
    await rewriteState(stage.store, memoryStore(), (found) => (text = found));
    const [ciphertext = ""] = text.match(CIPHERTEXT) ?? [];
    const bytes = Buffer.from(ciphertext, "base64");
    expect(bytes.length).toBe(12 + 64 + 16);
    for (const index of bytes.keys()) {
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

  test("of short values are of one length", async () => {
    const stage = secretStage();
    const values = ["", "x", "true", "a password of thirty letters"];
    await stage.up(() => Promise.all(values.map((value, n) => Thing(`t${n}`, { value: new Secret(value) }))));
    const lengths = [...(await textIn(stage.store)).matchAll(CIPHERTEXT)].map(([one]) => one.length);
    expect(new Set(lengths).size).toBe(1);
  });

  test("that belong to a secret inside of another one are accepted nowhere else", async () => {
    const stage = secretStage();
    await stage.up(() => Thing("a", { value: new Secret("of a") }));
    const store = await tampered(stage.store, (text) =>
      text.replace(/"\$secret":\["[^"]+","[^"]+"\]/, '"$secret":["",["made up","name"]]'),
    );
    expect([...(await readAll(store)).values()].join()).toContain("STATE_CORRUPT");
  });
});
