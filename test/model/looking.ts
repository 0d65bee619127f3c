/** Searches of the model's tests. */
import { expect } from "vitest";
import { type Broken, RANDOM } from "./cases.js";
import { searchAtRandom } from "./random.js";
import { SMALL, SOUND } from "./rules.js";
import { type Found, searchSystematically } from "./systematic.js";

export const HOUR = 3_600_000;

export function told(found: Found | undefined): string | undefined {
  return found && [found.violation, ...found.trace].join("\n  ");
}

/** Without the rule a property fails, and this is the one. */
export function showsBroken({ rules, fails, scenario, random }: Broken): void {
  const broken = { ...SOUND, ...rules };
  const result = random
    ? searchAtRandom(broken, RANDOM[random], { runs: 30_000, milliseconds: HOUR })
    : searchSystematically(broken, { ...SMALL, ...scenario }, { states: 2e6, milliseconds: HOUR });
  expect(result.found?.violation).toMatch(fails);
}
