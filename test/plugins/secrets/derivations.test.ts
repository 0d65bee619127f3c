import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { platform, setPlatform } from "../../../core/base/index.js";
import { sealText } from "../../../plugins/secrets/codec.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { derivationsIn } from "../../helpers/apps/derivations.ts";
import { COST, secretStage } from "../../helpers/apps/secret-stage.ts";
import { Stage } from "../../helpers/apps/stage.ts";

/** Resets the process's cache of keys before each test and in each call, as in a new program. */
const anew = (): void => setPlatform({ ...platform(), belongings: new Map(platform().belongings) });
let known: readonly string[];
const asNewProcess = (): void => {
  anew();
  for (const name of platform().belongings.keys())
    if (name.startsWith("derivations")) platform().belongings.delete(name);
};
beforeEach(() => {
  known = [...platform().belongings.keys()];
  asNewProcess();
});
afterEach(() => {
  setPlatform();
  expect([...platform().belongings.keys()]).toEqual(known);
});

const PASSWORD = "correct horse of derivations";
type Options = Parameters<typeof secretStage>[0];

function stageOf(options: Options = {}): Stage {
  return secretStage({ password: PASSWORD, ...options });
}

const hide = (stage: Stage, value = "hidden") => stage.up((app) => app.set("token", new Secret(value)));
const read = async (stage: Stage): Promise<unknown> => {
  let found: unknown;
  await stage.up(async (app) => {
    found = Secret.unwrap(await app.get("token"));
  });
  return found;
};

describe("keys of one password in one process", () => {
  test("of a hundred new stages at once need one derivation, and are of no use for each other's secrets", async () => {
    const stages = Array.from({ length: 100 }, (_, at) => stageOf({ stage: `s${at}` }));
    expect(await derivationsIn(() => Promise.all(stages.map((stage, at) => hide(stage, `value ${at}`))))).toBe(1);
    expect(await derivationsIn(() => Promise.all(stages.map(read)))).toBe(0);
    asNewProcess();
    const count = await derivationsIn(async () => {
      expect(await Promise.all(stages.map(read))).toEqual(stages.map((_, at) => `value ${at}`));
    });
    expect(count).toBe(1);
  });

  test("of a new stage are derived as those of one that it has opened", async () => {
    const [first, second] = [stageOf(), stageOf()];
    await hide(first);
    asNewProcess();
    expect(await derivationsIn(() => read(first))).toBe(1);
    expect(await derivationsIn(() => hide(second))).toBe(0);
    asNewProcess();
    expect(await derivationsIn(() => Promise.all([read(first), read(second)]))).toBe(1);
  });

  test("are derived again for another password, and for another cost", async () => {
    await hide(stageOf());
    expect(await derivationsIn(() => hide(stageOf({ password: "another" })))).toBe(1);
    const dearer = new Stage({ password: PASSWORD }, { plugins: [secrets({ cost: 2 * COST })] });
    expect(await derivationsIn(() => hide(dearer))).toBe(1);
    expect(await derivationsIn(() => hide(stageOf()))).toBe(0);
  });

  test("of stages that other processes have made are derived two at a time, for each takes much memory", async () => {
    const stages = Array.from({ length: 5 }, () => stageOf({ stateStore: memoryStore() }));
    for (const stage of stages) {
      await hide(stage);
      asNewProcess();
    }
    let [running, most, count] = [0, 0, 0];
    const { scrypt } = platform();
    setPlatform({
      ...platform(),
      scrypt: async (...args) => {
        running++;
        count++;
        most = Math.max(most, running);
        return scrypt(...args).finally(() => running--);
      },
    });
    await Promise.all(stages.map(read));
    expect([count, most]).toEqual([5, 2]);
  });

  test("are not derived again for what a run could not record", async () => {
    const stage = stageOf();
    await hide(stage);
    let count = 0;
    const { scryptNow } = platform();
    setPlatform({
      ...platform(),
      scryptNow: (...args) => {
        count++;
        return scryptNow(...args);
      },
    });
    expect(sealText({ password: PASSWORD }, COST, "lost", "here")).toContain("scrypt");
    expect(count).toBe(0);
    expect(sealText({ password: "another" }, COST, "lost", "here")).toContain("scrypt");
    expect(count).toBe(1);
  });
});
