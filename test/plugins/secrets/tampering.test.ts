import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { rewriteState } from "../../helpers/stores/rewrite-state.ts";
import { CIPHERTEXT, doNotDecryptChanged, program, readAll, Thing, tampered, world } from "./tampering.ts";

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

  test("that are intact are not read either if the seal of the state is gone, whatever the run does", async () => {
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
    // Their key is bound to their state: even with the key, nothing of this state is read.
    const withKey = (text: string): string =>
      moved(text)
        .replace(/(?<="\$secrets",)\[\[.*?\]\]/, foreignKey)
        .replace(/(?<="\$secret":\[")[^"]+/g, foreignId);
    const store = await tampered(own.store, withKey, "WRONG_PASSWORD");
    await expect(readAll(store)).rejects.toMatchObject({ code: "WRONG_PASSWORD", fqn: "app/dev" });
  });

  // Covers all eight bits, because the stride is odd; the matrix test covers all bytes.
  doNotDecryptChanged(7);

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
