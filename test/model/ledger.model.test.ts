/**
 * The ledger's protocol (DESIGN 6.3 and 6.5) as a model: clients that stop between any two requests for as long as they
 * like, crash, and take over from the living. It holds in every state searched, and each of its rules is needed.
 *
 * It is also modelled as a sealed ledger, with a forger who has no key, may write to the store, and keeps everything
 * ever in it. Holders of the key continue only from lines that holders of the key have written, in that order, up to
 * some moment.
 *
 * Not in the model:
 * - leases, restore, listings that lag, stores that are not linearizable, power loss
 * - runs without the key of a sealed ledger, keys that get known, the memory of a machine, and forgers who stop a run
 *
 * The matrix has larger scenarios, random histories, and every rule.
 */
import { describe, expect, it } from "vitest";
import { BROKEN } from "./cases.js";
import { HOUR, showsBroken, told } from "./looking.js";
import { SOUND } from "./rules.js";
import { SEALED, SEALED_BROKEN } from "./sealed-cases.js";
import { searchSystematically } from "./systematic.js";

/** The matrix searches the others if the model has changed. */
const QUICK = "files, sealed";

describe("the ledger's protocol holds", () => {
  for (const { name, rules, scenario } of SEALED.filter((one) => one.name === QUICK)) {
    it(`in every state of: ${name}`, { timeout: HOUR }, () => {
      const result = searchSystematically({ ...SOUND, ...rules }, scenario, { states: 2e6, milliseconds: HOUR });
      expect(told(result.found)).toBeUndefined();
      expect(result.complete).toBe(true);
    });
  }
});

/** A few of the matrix's searches: the model is a text of its own, which no change of the engine changes. */
const SHOWN: readonly string[] = [
  "trimming spares takeovers (files)",
  "verify before open (entries)",
  "verify of loads (files)",
  "a MAC covers the digest of the line before",
];

describe("the ledger's protocol fails without the rule:", () => {
  const shown = [...BROKEN, ...SEALED_BROKEN].filter(({ rule }) => SHOWN.includes(rule));

  it("in each of these cases", () => {
    expect(shown.map(({ rule }) => rule).sort()).toEqual([...SHOWN].sort());
  });

  for (const broken of shown) it(broken.rule, { timeout: HOUR }, () => showsBroken(broken));
});
