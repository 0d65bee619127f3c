/** Assigns stages to waves. */
import { EngineError, messageOf, nodeCrypto } from "../../../core/base/index.js";
import type { FleetReport, FleetWave, Percentage } from "../contract.js";

export type Wave = Required<FleetWave>;

const PERCENTAGE = /^(\d{1,3}(?:\.\d+)?)%$/;

/** Returns the fraction, from 0 to 1; undefined for anything else than a percentage. */
export function fractionOf(value: unknown): number | undefined {
  const [, digits] = (typeof value === "string" && PERCENTAGE.exec(value)) || [];
  const percent = Number(digits);
  return percent <= 100 ? percent / 100 : undefined;
}

/** Returns the number that a number or a percentage stands for. @param total of which it is a percentage */
export function amountOf(value: number | string, total: number): number {
  const fraction = fractionOf(value);
  // 0.29 * 100 is less than 29.
  return fraction === undefined ? Number(value) : Math.round(fraction * total * 1e6) / 1e6;
}

/** @throws EngineError `INVALID_OPTION` */
export function parseWaves(given: readonly (Percentage | FleetWave)[]): readonly Wave[] {
  if (!Array.isArray(given) || given.length === 0) throw invalid('must be a list such as ["5%", "100%"]');
  const waves = given.map((wave: unknown, index): Wave => {
    const { to, start = "auto" }: Partial<FleetWave> = typeof wave === "string" ? { to: wave } : Object(wave);
    if (fractionOf(to) === undefined || to === undefined)
      throw invalid(`has an invalid wave at index ${index}. Each is a percentage such as "5%", or { to, start }`);
    if (start !== "auto" && start !== "manual" && typeof start !== "function")
      throw invalid(`has an invalid start at index ${index}. It must be "auto", "manual" or a function`);
    return { to, start };
  });
  const shares = waves.map(({ to }) => fractionOf(to) ?? 0);
  if (shares.some((share, index) => share <= (shares[index - 1] ?? 0)))
    throw invalid("must have growing percentages, each of all stages up to and including the wave");
  if (shares.at(-1) !== 1) throw invalid('must end with "100%"');
  return waves;
}

function invalid(problem: string): EngineError {
  return new EngineError("INVALID_OPTION", `The option "waves" of fleet() ${problem}.`);
}

/** Returns the index of the wave that a hash of the stage's name puts it in. */
export function waveOf(fleet: string, stage: string, waves: readonly Wave[]): number {
  if (waves.length === 1) return 0;
  const digest = nodeCrypto().createHash("sha256").update(`${fleet}/${stage}`).digest();
  const share = digest.readUInt32BE(0) / 2 ** 32;
  return waves.findIndex(({ to }) => share < (fractionOf(to) ?? 1));
}

/**
 * Returns why a wave does not begin yet; undefined if it begins.
 *
 * @param name of the wave, e.g. `wave 2 of 3`
 * @param halted resolves if the check need not be awaited any more
 */
export async function whyNotYet(
  start: Wave["start"],
  name: string,
  report: () => FleetReport,
  halted: Promise<void>,
): Promise<string | undefined> {
  if (start === "auto") return undefined;
  if (start === "manual") return `${name} begins by hand`;
  try {
    return (await Promise.race([start(report()), halted])) === true
      ? undefined
      : `the check before ${name} did not return true`;
  } catch (error) {
    return `the check before ${name} failed: ${messageOf(error)}`;
  }
}
