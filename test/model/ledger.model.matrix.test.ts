/** The ledger's protocol as a model, in larger scenarios; `LONG=1` searches for much longer. */
import { describe, expect, it } from "vitest";
import { BROKEN, DEEP, LARGE, RANDOM, SOUND_VARIANTS } from "./cases.js";
import { HOUR, showsBroken, told } from "./looking.js";
import { searchAtRandom } from "./random.js";
import { SOUND } from "./rules.js";
import { SEALED_BROKEN, SEALED_DEEP, SEALED_LARGE, SEALED_RANDOM } from "./sealed-cases.js";
import { searchSystematically } from "./systematic.js";

const long = process.env.LONG === "1";
describe("the ledger's protocol holds", () => {
  for (const { name, rules, scenario } of [...LARGE, ...SEALED_LARGE]) {
    it(`in every state of: ${name}`, { timeout: HOUR }, () => {
      const result = searchSystematically({ ...SOUND, ...rules }, scenario, { states: 2e6, milliseconds: HOUR });
      expect(told(result.found)).toBeUndefined();
      expect(result.complete).toBe(true);
    });
  }

  for (const { name, rules, scenario } of long ? [...DEEP, ...SEALED_DEEP] : []) {
    it(`in millions of states of: ${name}`, { timeout: HOUR }, () => {
      const result = searchSystematically({ ...SOUND, ...rules }, scenario, { states: 5e6, milliseconds: HOUR });
      expect(told(result.found)).toBeUndefined();
    });
  }

  for (const { name, rules, scenario } of SEALED_RANDOM) {
    it(`in random histories that somebody without the key meddles with: ${name}`, { timeout: HOUR }, () => {
      const limits = { runs: long ? 5_000 : 30, milliseconds: HOUR };
      expect(told(searchAtRandom({ ...SOUND, ...rules }, scenario, limits).found)).toBeUndefined();
    });
  }

  for (const [kind, rules] of SOUND_VARIANTS) {
    it(`in random histories of ${kind} with ${JSON.stringify(rules)}`, { timeout: HOUR }, () => {
      const runs = long ? 150_000 : 4_000;
      const result = searchAtRandom({ ...SOUND, ...rules }, RANDOM[kind], { runs, milliseconds: HOUR });
      expect(told(result.found)).toBeUndefined();
      // Histories in which nothing was trimmed show little.
      expect(result.trimmed).toBeGreaterThan(runs * 0.9);
    });
  }
});

describe("the ledger's protocol fails without the rule:", () => {
  for (const broken of [...BROKEN, ...SEALED_BROKEN]) it(broken.rule, { timeout: HOUR }, () => showsBroken(broken));
});
