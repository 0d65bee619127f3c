import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Password, RandomString, type RandomStringProps } from "../../../plugins/resources/index.js";
import { isSecret, type Secret } from "../../../plugins/secrets/secret.js";
import { projects } from "./project.ts";

const newProject = projects();

describe("RandomString", () => {
  test("stays the same from run to run, with force too, and changes with its props only", async () => {
    const project = await newProject();
    const made = async (props?: RandomStringProps, force = false): Promise<string> => {
      const values: string[] = [];
      await project.up(async () => void values.push((await RandomString("r", props)).value), { force });
      return values.join();
    };
    const first = await made();
    expect(first).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await made()).toBe(first);
    expect(await made({ length: 32 }, true)).toBe(first);
    const values = [first];
    for (const props of [{ length: 31 }, { length: 31, keepers: { a: 1 } }, { length: 31, keepers: { a: 2 } }]) {
      values.push(await made(props));
      expect(await made(props)).toBe(values.at(-1));
    }
    expect(new Set(values).size).toBe(4);
  });

  test("is read in the read phase, and leaves nothing when destroyed", async () => {
    const project = await newProject();
    const values: string[] = [];
    const program = async () => void values.push((await RandomString("r")).value);
    await project.up(program);
    await project.up(program, { phase: "read" });
    expect(values[1]).toBe(values[0]);
    expect(await project.destroy()).toMatchObject({ summary: { deleted: 1 }, errors: [] });
    await project.up(program);
    expect(values[2]).not.toBe(values[0]);
  });

  test("draws from any alphabet, each character as often as the others", async () => {
    const project = await newProject();
    let value = "";
    // 13 does not divide 256: taking the remainder of a random byte would favor the first characters.
    const alphabet = "abcdefghijkl🎈";
    await project.up(async () => {
      for (let n = 0; n < 13; n++) value += (await RandomString(`r${n}`, { length: 4096, alphabet })).value;
    });
    const characters = [...value];
    expect(characters).toHaveLength(13 * 4096);
    const counts = [...alphabet].map((wanted) => characters.filter((character) => character === wanted).length);
    // Ten standard deviations: less than one failure in 10^20 runs.
    for (const count of counts) expect(Math.abs(count - 4096)).toBeLessThan(10 * Math.sqrt(4096));
  });

  test("refuses impossible props, and records nothing of them", async () => {
    const project = await newProject();
    const impossible: RandomStringProps[] = [
      { length: 0 },
      { length: 1.5 },
      { length: 5000 },
      { alphabet: "a" },
      { alphabet: "aab" },
      { length: 1, ...Object({ secret: "yes" }) },
    ];
    for (const props of impossible) {
      expect((await project.failure(() => RandomString("r", props))).code).toBe("INVALID_PROPS");
    }
    expect((await project.up()).summary).toEqual({});
  });
});

describe.each<[string, (id: string, keepers?: number) => PromiseLike<{ readonly value: Secret }>]>([
  ["Password", (id, keepers) => Password(id, { length: 20, alphabet: "abc", keepers })],
  [
    "RandomString with secret: true",
    (id, keepers) => RandomString(id, { length: 20, alphabet: "abc", keepers, secret: true }),
  ],
])("%s", (_, Made) => {
  test("gives a secret that is nowhere in clear, stays the same, and is another one for other keepers", async () => {
    const stateStore = memoryStore();
    const project = await newProject({ stateStore, password: "of the stage" });
    const made = async (keepers?: number): Promise<string> => {
      let value = "";
      await project.up(async () => {
        const output = await Made("database", keepers);
        expect([isSecret(output.value), String(output.value)]).toEqual([true, "Secret(database)"]);
        value = output.value.unencrypted;
      });
      return value;
    };
    const first = await made();
    expect(first).toMatch(/^[abc]{20}$/);
    expect(await made()).toBe(first);
    const second = await made(2);
    expect(second).not.toBe(first);
    expect(await made(2)).toBe(second);
    const stored: string[] = [];
    for await (const key of stateStore.list("")) stored.push(String(await stateStore.get(key)));
    expect(stored.join("")).toContain("random:");
    for (const value of [first, second]) expect(stored.join("")).not.toContain(value);
  });

  test("is refused without a password", async () => {
    const project = await newProject();
    expect(await project.failure(() => Made("database"))).toMatchObject({ code: "PASSWORD_REQUIRED" });
  });
});

test("a string that becomes secret is another one: the old one was in clear", async () => {
  const project = await newProject({ password: "of the stage" });
  const values: string[] = [];
  await project.up(async () => void values.push((await RandomString("r")).value));
  await project.up(async () => void values.push((await RandomString("r", { secret: true })).value.unencrypted));
  expect(values[1]).toHaveLength(32);
  expect(values[1]).not.toBe(values[0]);
});
