/**
 * The ledger's protocol as a model, in larger scenarios. They are searched if the model has changed since the last
 * complete search. `LONG=1` searches in any case, for much longer, and records the searched model.
 */
import { afterAll, describe, expect, it, onTestFailed } from "vitest";
import { BROKEN, COMPLETE, DEEP, LARGE, RANDOM, SOUND_VARIANTS } from "./cases.js";
import { HOUR, showsBroken, told } from "./looking.js";
import { isProved, noteProved } from "./proved.js";
import { searchAtRandom } from "./random.js";
import { SOUND } from "./rules.js";
import { SEALED, SEALED_BROKEN, SEALED_DEEP, SEALED_LARGE, SEALED_RANDOM } from "./sealed-cases.js";
import { searchSystematically } from "./systematic.js";

const long = process.env.LONG === "1";
let failures = 0;
const shows = (name: string, show: () => void): void =>
  it(name, { timeout: HOUR }, () => {
    onTestFailed(() => void failures++);
    show();
  });

function searchAll(): void {
  describe("the ledger's protocol holds", () => {
    for (const { name, rules, scenario } of [...COMPLETE, ...SEALED, ...LARGE, ...SEALED_LARGE]) {
      shows(`in every state of: ${name}`, () => {
        const result = searchSystematically({ ...SOUND, ...rules }, scenario, { states: 2e6, milliseconds: HOUR });
        expect(told(result.found)).toBeUndefined();
        expect(result.complete).toBe(true);
      });
    }

    for (const { name, rules, scenario } of long ? [...DEEP, ...SEALED_DEEP] : []) {
      shows(`in millions of states of: ${name}`, () => {
        const result = searchSystematically({ ...SOUND, ...rules }, scenario, { states: 5e6, milliseconds: HOUR });
        expect(told(result.found)).toBeUndefined();
      });
    }

    for (const { name, rules, scenario } of SEALED_RANDOM) {
      shows(`in random histories that somebody without the key meddles with: ${name}`, () => {
        const limits = { runs: long ? 5_000 : 30, milliseconds: HOUR };
        expect(told(searchAtRandom({ ...SOUND, ...rules }, scenario, limits).found)).toBeUndefined();
      });
    }

    for (const [kind, rules] of SOUND_VARIANTS) {
      shows(`in random histories of ${kind} with ${JSON.stringify(rules)}`, () => {
        const runs = long ? 150_000 : 4_000;
        const result = searchAtRandom({ ...SOUND, ...rules }, RANDOM[kind], { runs, milliseconds: HOUR });
        expect(told(result.found)).toBeUndefined();
        // Histories in which nothing was trimmed show little.
        expect(result.trimmed).toBeGreaterThan(runs * 0.9);
      });
    }
  });

  describe("the ledger's protocol fails without the rule:", () => {
    for (const broken of [...BROKEN, ...SEALED_BROKEN]) shows(broken.rule, () => showsBroken(broken));
  });
}

if (long || !isProved()) {
  searchAll();
  afterAll(() => {
    if (long && failures === 0) noteProved();
  });
} else {
  it("the model is the one that was searched", () => expect(isProved()).toBe(true));
}
