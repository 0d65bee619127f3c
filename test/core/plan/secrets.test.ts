import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "../../../core/contract/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { PASSWORD, secretWorld } from "../../helpers/apps/secret-stage.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plans-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HUSH = "hush-hush-4711!";
const bytes = (): Buffer => Buffer.from(HUSH);
const hex = (separator: string): string => [...bytes()].map((byte) => byte.toString(16)).join(separator);
const forms = [HUSH, encodeURIComponent(HUSH), bytes().toString("base64"), hex(""), hex(" "), [...bytes()].join(", ")];

describe("a plan and its file hold no secret", () => {
  test.each<[string, (secret: Secret<string>) => unknown, unknown]>([
    ["in a map", (secret) => new Map([["a", secret]]), "Map(1) { 'a' => Secret(unnamed) }"],
    ["as a key of a map", (secret) => new Map([[secret, 1]]), "Map(1) { Secret(unnamed) => 1 }"],
    ["in a set", (secret) => new Set([secret]), "Set(1) { Secret(unnamed) }"],
    ["as a key", () => ({ [HUSH]: 1 }), { "***": 1 }],
    ["in bytes", bytes, "(15 bytes, with a secret)"],
    ["in bytes in a map", () => new Map([["a", [bytes()]]]), "Map(1) { 'a' => [ (15 bytes, with a secret) ] }"],
    ["in a buffer in a set", () => new Set([{ b: bytes() }]), "Set(1) { { b: (15 bytes, with a secret) } }"],
    ["in a buffer of its own", () => Uint8Array.from(bytes()).buffer, "(15 bytes, with a secret)"],
    ["in an address", () => new URL(`http://x/${encodeURIComponent(HUSH)}`), "http://x/***"],
  ])("%s", async (_what, make, shown) => {
    const { Thing, stage } = secretWorld();
    const planOut = join(folder, "plan.json");
    const program = (value: number) => async () => {
      const secret = new Secret(HUSH);
      await Thing("secret", { value: secret });
      await Thing("a", { value: { value, made: make(secret) } });
    };
    const plan = (value: number): Promise<Plan> => {
      const options = { stage: "dev", argv: [], env: {}, stateStore: stage.store, password: PASSWORD, planOut };
      return stage.engine.plan("app", options, program(value));
    };
    const made = await plan(1);
    expect(made.actions[1]?.props).toEqual({ value: { value: 1, made: shown } });
    const text = JSON.stringify(made) + (await readFile(planOut, "utf8"));
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
    await stage.up(program(1), { planFile: planOut });
    expect((await plan(2)).actions.map(({ changes }) => changes)).toEqual([[{ path: "/value/value", old: 1, new: 2 }]]);
  });

  test("in the names of changed props, nor in reports of drift", async () => {
    const { Thing, stage, world } = secretWorld({ read: true });
    const program = (value: number) => async () => {
      await Thing("secret", { value: new Secret(HUSH) });
      await Thing("a", { value: { [`x/${HUSH}`]: value } });
    };
    await stage.up(program(1));
    const options = { stage: "dev", argv: [], env: {}, stateStore: stage.store, password: PASSWORD };
    const [action] = (await stage.engine.plan("app", options, program(2))).actions;
    expect(action?.changes).toEqual([{ path: "/value/x~1***", old: 1, new: 2 }]);
    expect(action?.reason).toBe("props.value.x/*** changed");
    for (const [name, thing] of world.things) {
      if (name.startsWith("a")) world.things.set(name, { ...thing, value: { [`x/${HUSH}`]: 3 } });
    }
    await stage.up(program(1), { refresh: true });
    expect(stage.heard("resource:drifted").map(({ paths }) => paths)).toEqual([["/value/x~1***"]]);
  });
});

describe("a refresh", () => {
  test("reads what is recorded of secrets", async () => {
    const { Thing, stage } = secretWorld({ read: true });
    const program = () => Thing("secret", { value: new Secret(HUSH) });
    await stage.up(program);
    await stage.up(program, { refresh: true });
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});
