/** Passes the flags that a command has read to the program that it runs, as data that need not be parsed again. */
import { EngineError, isSameList, nearest, processWide } from "../../../core/base/index.js";
import { invalid } from "./flag.js";
import { type FlagUse, type GivenFlags, givenFlags } from "./given-flags.js";
import { FLAGS, flagNamed } from "./table.js";

interface HandedOver {
  /** The arguments that the program sees. */
  readonly argv: readonly string[];
  readonly flags: GivenFlags;
}

// Shared by all copies of the package: the program may use another copy than the command that runs it.
const handed = processWide<{ last: HandedOver | undefined }>("flags@1", () => ({ last: undefined }));

/** Sets the arguments that the program will see, and the flags for its apps. */
export function handOver(script: string, argv: readonly string[], flags: GivenFlags): void {
  process.argv = [process.execPath, script, ...argv];
  handed.last = { argv, flags };
}

/**
 * Returns the flags in the arguments. If the program changed its arguments before it called `engine()`, they are parsed
 * again.
 *
 * @throws EngineError `INVALID_ARGUMENT` naming the flag
 */
export function flagsIn(argv: readonly string[]): GivenFlags {
  const { last } = handed;
  return last && isSameList(last.argv, argv) ? last.flags : parseArgv(argv);
}

/**
 * Reads `--flag`, `--no-flag`, `--flag=true|false`, `--key value` and `--key=value`, up to a `--`. The last of repeated
 * flags wins; flags of lists add up. `--plan=FILE` names a plan to apply. Everything else belongs to the program and is
 * ignored, except a typo in one of these flags. A run that should have been a plan, or for another stage, cannot be
 * undone.
 *
 * @param argv without the runtime and the script
 * @throws `INVALID_ARGUMENT` naming the flag
 */
export function parseArgv(argv: readonly string[]): GivenFlags {
  return givenFlags(usesIn(argv));
}

/** Yields one flag at a time, so that the first of several faults is reported. */
function* usesIn(argv: readonly string[]): Generator<FlagUse> {
  const ends = argv.includes("--") ? argv.indexOf("--") : argv.length;
  for (let index = 0; index < ends; index += 1) {
    const [token = "", next] = argv.slice(index, index + 2);
    const reading = readFlag(token, next);
    if (!reading) refuseSlip(token);
    else yield reading.use;
    if (reading?.takesNext) index += 1;
  }
}

/** @throws `INVALID_ARGUMENT` if the token differs from a flag only by a letter, a dash or upper case */
function refuseSlip(token: string): void {
  const [given = ""] = token.split("=", 1);
  const flag = given.replace(/^--no-/, "--");
  const known = FLAGS.filter(({ says }) => says).map(({ name }) => name);
  if (known.some((name) => name === flag)) return;
  const near = /^--[a-z]/i.test(flag) ? nearest(flag, known, 1) : known.find((one) => one === `-${flag}`);
  if (near === undefined) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `Argument ${given} is not a flag of the engine: did you mean ${near}? If it is a flag of your program, put it after "--".`,
  );
}

interface Reading {
  readonly use: FlagUse;
  readonly takesNext: boolean;
}

/** Returns undefined if the token is not a flag of the engine. */
function readFlag(token: string, next: string | undefined): Reading | undefined {
  const [, name = token, text] = /^([^=]*)=(.*)$/s.exec(token) ?? [];
  const valued = flagNamed(name);
  if (valued?.says && "example" in valued.says) {
    if (text !== undefined) return { use: { flag: valued, name, text }, takesNext: false };
    // A forgotten value must not consume the next flag: `--stage --force` does not name a stage "--force".
    const value = next?.startsWith("--") ? undefined : next;
    return { use: { flag: valued, name, text: value }, takesNext: true };
  }
  const isNegated = name.startsWith("--no-");
  const flag = isNegated ? flagNamed(name.replace("--no-", "--")) : valued;
  if (!flag?.says || "example" in flag.says) return undefined;
  // Otherwise the value would be an argument of the program, and `--destroy false` would destroy.
  if (text === undefined && (next === "true" || next === "false"))
    throw invalid(`${name} needs its value after "=": write ${name}=${next}`);
  return { use: { flag, name, text, ...(isNegated && { isNegated }) }, takesNext: false };
}
