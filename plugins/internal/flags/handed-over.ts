/** Flags that a command has read, on their way to the program that it runs: as data, and not as a text that is read again. */
import { EngineError, isSameList, nearest, processWide } from "../../../core/base/index.js";
import { invalid } from "./flag.js";
import { type FlagUse, type GivenFlags, givenFlags } from "./given-flags.js";
import { FLAGS, flagNamed } from "./table.js";

interface HandedOver {
  /** The arguments that the program sees. */
  readonly argv: readonly string[];
  readonly flags: GivenFlags;
}

// Of all copies of the package: the program may have another one than what started it.
const handed = processWide<{ last: HandedOver | undefined }>("flags@1", () => ({ last: undefined }));

/** What a program that is run from now on sees as its arguments, and what its apps are given by them. */
export function handOver(script: string, argv: readonly string[], flags: GivenFlags): void {
  process.argv = [process.execPath, script, ...argv];
  handed.last = { argv, flags };
}

/**
 * What the arguments say. A program may change them before it calls `engine()`: then they are not what the command has read, and are read.
 *
 * @throws EngineError `INVALID_ARGUMENT` naming the flag
 */
export function flagsIn(argv: readonly string[]): GivenFlags {
  const { last } = handed;
  return last && isSameList(last.argv, argv) ? last.flags : parseArgv(argv);
}

/**
 * Reads `--flag`, `--no-flag`, `--flag=true|false`, `--key value` and `--key=value`, up to a `--`; the last of repeated
 * flags wins, and lists take all. `--plan=FILE` names a plan to apply. Everything else is the program's own and is passed over,
 * but for a slip in one of these flags: a run that was meant for a plan, or another stage, would be too late to take back.
 *
 * @param argv without the runtime and the script
 * @throws `INVALID_ARGUMENT` naming the flag
 */
export function parseArgv(argv: readonly string[]): GivenFlags {
  return givenFlags(usesIn(argv));
}

/** One by one, so that of several faults the first is told. */
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

/** @throws `INVALID_ARGUMENT` for what is a letter, a dash or upper case away from a flag */
function refuseSlip(token: string): void {
  const [given = ""] = token.split("=", 1);
  const flag = given.replace(/^--no-/, "--");
  const known = FLAGS.filter(({ says }) => says).map(({ name }) => name);
  if (known.some((name) => name === flag)) return;
  const near = /^--[a-z]/i.test(flag) ? nearest(flag, known, 1) : known.find((one) => one === `-${flag}`);
  if (near === undefined) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `Argument ${given} is no flag of the engine: did you mean ${near}? One of the program's own that looks like it must come behind "--".`,
  );
}

interface Reading {
  readonly use: FlagUse;
  readonly takesNext: boolean;
}

/** Undefined for what is not the engine's. */
function readFlag(token: string, next: string | undefined): Reading | undefined {
  const [, name = token, text] = /^([^=]*)=(.*)$/s.exec(token) ?? [];
  const valued = flagNamed(name);
  if (valued?.says && "example" in valued.says) {
    if (text !== undefined) return { use: { flag: valued, name, text }, takesNext: false };
    // A forgotten value must not swallow the next flag: `--stage --force` is no stage called "--force".
    const value = next?.startsWith("--") ? undefined : next;
    return { use: { flag: valued, name, text: value }, takesNext: true };
  }
  const isNegated = name.startsWith("--no-");
  const flag = isNegated ? flagNamed(name.replace("--no-", "--")) : valued;
  if (!flag?.says || "example" in flag.says) return undefined;
  // It would be the program's argument, and `--destroy false` would destroy.
  if (text === undefined && (next === "true" || next === "false"))
    throw invalid(`${name} takes its value after "=": ${name}=${next}`);
  return { use: { flag, name, text, ...(isNegated && { isNegated }) }, takesNext: false };
}
