/** The command-line arguments that the engine understands, read into options. Pure. */

import type { Phase } from "../../core/base/index.js";
import { EngineError, nearest } from "../../core/base/index.js";
import type { EngineOptions, OptionOrigins } from "../../core/contract/index.js";

export interface ParsedArgv {
  readonly options: EngineOptions;
  /** The flag that each of the options came from. */
  readonly origins: OptionOrigins;
  /** The last flag that says what opens secrets; its file is not read yet. */
  readonly opener: OpenerFlag | undefined;
}

/** `passwordFile`: its first line is the password. `keyFile`: it holds a key. `keyCommand`: a line for the shell. */
export interface OpenerFlag {
  readonly from: "passwordFile" | "keyFile" | "keyCommand";
  readonly text: string;
}

/** What one flag says: options, and what is settled only when all flags are known. */
interface Said extends Omit<EngineOptions, "phase"> {
  readonly destroy?: boolean;
  readonly read?: boolean;
  readonly opener?: OpenerFlag;
}

interface ValueFlag {
  /** A value as somebody would write it, for messages. */
  readonly example: string;
  readonly says: (text: string) => Said;
}

const switches: ReadonlyMap<string, (on: boolean) => Said> = new Map<string, (on: boolean) => Said>([
  ["--destroy", (destroy) => ({ destroy })],
  ["--read", (read) => ({ read })],
  ["--quiet", (quiet) => ({ quiet })],
  ["--local", (local) => ({ local })],
  ["--dev", (on) => ({ local: on, watch: on })],
  ["--watch", (watch) => ({ watch })],
  ["--force", (force) => ({ force })],
  ["--tunnel", (tunnel) => ({ tunnel })],
  ["--adopt", (adopt) => ({ adopt })],
  ["--erase-secrets", (eraseSecrets) => ({ eraseSecrets })],
  ["--strict-state", (strictState) => ({ strictState })],
  ["--plan", (plan) => ({ plan })],
  ["--full", (full) => ({ full })],
  ["--refresh", (refresh) => ({ refresh })],
  ["--target-dependents", (targetDependents) => ({ targetDependents })],
  ["--exclude-dependents", (excludeDependents) => ({ excludeDependents })],
  ["--json", (json) => ({ json })],
  ["--verbose", (verbose) => ({ verbose })],
]);

const valueFlags: ReadonlyMap<string, ValueFlag> = new Map<string, ValueFlag>([
  ["--stage", { example: "prod", says: (stage) => ({ stage }) }],
  ["--profile", { example: "work", says: (profile) => ({ profile }) }],
  ["--root-dir", { example: "./infra", says: (rootDir) => ({ rootDir }) }],
  ["--out", { example: "plan.json", says: (planOut) => ({ planOut }) }],
  ["--password-file", { example: "./password", says: (text) => ({ opener: { from: "passwordFile", text } }) }],
  ["--key-file", { example: "./key", says: (text) => ({ opener: { from: "keyFile", text } }) }],
  [
    "--key-command",
    { example: "'op read op://vault/key'", says: (text) => ({ opener: { from: "keyCommand", text } }) },
  ],
  ["--concurrency", { example: "8", says: (text) => ({ concurrency: wholeNumber("--concurrency", text) }) }],
  ["--target", { example: "'**/web'", says: (text) => ({ target: [text] }) }],
  ["--exclude", { example: "'**/web'", says: (text) => ({ exclude: [text] }) }],
  ["--max-deletes", { example: "10", says: (text) => ({ maxDeletes: deletes("--max-deletes", text) }) }],
  ["--lock", { example: "eager", says: (text) => ({ lock: moment("--lock", text) }) }],
  ["--lock-timeout", { example: "30s", says: (text) => ({ lockTimeout: milliseconds("--lock-timeout", text) }) }],
]);

/**
 * Reads `--flag`, `--no-flag`, `--flag=true|false`, `--key value` and `--key=value`, up to a `--`; the last of repeated
 * flags wins, and lists take all. `--plan=FILE` names a plan to apply. Everything else is the program's own and is passed over,
 * but for a slip in one of these flags: a run that was meant for a plan, or another stage, would be too late to take back.
 *
 * @param argv without the runtime and the script
 * @throws `INVALID_ARGUMENT` naming the flag
 */
export function parseArgv(argv: readonly string[]): ParsedArgv {
  const ends = argv.indexOf("--");
  const ours = ends < 0 ? argv : argv.slice(0, ends);
  let said: Said = {};
  let origins: Readonly<Record<string, string>> = {};
  let taken = false;
  for (const [index, token] of ours.entries()) {
    const isValue: boolean = taken;
    const reading: Reading | undefined = isValue ? undefined : readFlag(token, argv[index + 1]);
    taken = reading?.takesNext === true;
    if (!isValue && !reading) refuseSlip(token);
    if (!reading) continue;
    said = { ...said, ...reading.said, ...listsOf(said, reading.said) };
    origins = { ...origins, ...Object.fromEntries(Object.keys(reading.said).map((name) => [name, reading.flag])) };
  }
  const { destroy, read, opener, planOut, ...rest } = said;
  // Where there is no plan to be written, it is the program's own.
  const options = planOut !== undefined && rest.plan ? { ...rest, planOut } : rest;
  if (destroy && read) throw invalid("--destroy contradicts --read: leave one of them out");
  const phase: Phase | undefined = destroy ? "destroy" : read ? "read" : undefined;
  const sources = Object.fromEntries(Object.keys(options).map((name) => [name, origins[name]]));
  if (phase === undefined) return { options, origins: sources, opener };
  return { options: { ...options, phase }, origins: { ...sources, phase: `--${phase}` }, opener };
}

/** @throws `INVALID_ARGUMENT` for what is a letter, a dash or upper case away from a flag */
function refuseSlip(token: string): void {
  const [given = ""] = token.split("=", 1);
  const flag = given.replace(/^--no-/, "--");
  const known = [...switches.keys(), ...valueFlags.keys()];
  if (known.includes(flag)) return;
  const near = /^--[a-z]/i.test(flag) ? nearest(flag, known, 1) : known.find((one) => one === `-${flag}`);
  if (near === undefined) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `Argument ${given} is no flag of the engine: did you mean ${near}? One of the program's own that looks like it must come behind "--".`,
  );
}

/** Flags of lists add to what was said before. */
function listsOf(before: Said, next: Said): Said {
  const { target, exclude } = next;
  return {
    ...(target && { target: [...(before.target ?? []), ...target] }),
    ...(exclude && { exclude: [...(before.exclude ?? []), ...exclude] }),
  };
}

interface Reading {
  readonly flag: string;
  readonly said: Said;
  readonly takesNext: boolean;
}

function readFlag(token: string, next: string | undefined): Reading | undefined {
  const equals = token.indexOf("=");
  const name = equals < 0 ? token : token.slice(0, equals);
  const value = equals < 0 ? undefined : token.slice(equals + 1);
  const negated = name.startsWith("--no-");
  const flag = negated ? `--${name.slice("--no-".length)}` : name;

  if (flag === "--plan" && value !== undefined && value !== "" && !TRUTHS.has(value)) {
    if (negated) throw invalid(`${name} takes no value`);
    return { flag: name, said: { planFile: value }, takesNext: false };
  }
  const turn = switches.get(flag);
  if (turn) return { flag: name, said: turn(isOn(name, negated, value, next)), takesNext: false };
  const valued = valueFlags.get(name);
  if (!valued) return undefined;
  const text = value ?? next;
  // A forgotten value must not swallow the next flag: `--stage --force` is no stage called "--force".
  if (text === undefined || text === "" || (value === undefined && text.startsWith("--"))) {
    throw invalid(`${name} needs a value, e.g. ${name} ${valued.example}`);
  }
  return { flag: name, said: valued.says(text), takesNext: value === undefined };
}

const TRUTHS: ReadonlySet<string> = new Set(["true", "false"]);

function isOn(name: string, negated: boolean, value: string | undefined, next: string | undefined): boolean {
  if (value === undefined) {
    // It would be the program's argument, and `--destroy false` would destroy.
    if (next === "true" || next === "false") throw invalid(`${name} takes its value after "=": ${name}=${next}`);
    return !negated;
  }
  if (!negated && (value === "true" || value === "false")) return value === "true";
  throw invalid(`${name} ${negated ? "takes no value" : `is true or false, not ${JSON.stringify(value)}`}`);
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= 1) return number;
  throw invalid(`${flag} must be a whole number from 1, not ${JSON.stringify(text)}`);
}

function deletes(flag: string, text: string): number | `${number}%` {
  const number = Number(text.replace(/%$/, ""));
  const isPercentage = /^\d+(\.\d+)?%$/.test(text) && number <= 100;
  if (isPercentage) return `${number}%`;
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw invalid(`${flag} must be a whole number from 0, or a percentage such as 20%, not ${JSON.stringify(text)}`);
}

function moment(flag: string, text: string): "lazy" | "eager" {
  if (text === "lazy" || text === "eager") return text;
  throw invalid(`${flag} is lazy or eager, not ${JSON.stringify(text)}`);
}

const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

function milliseconds(flag: string, text: string): number {
  const [, amount, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const duration = Math.round(Number(amount) * (units.get(unit) ?? Number.NaN));
  if (Number.isSafeInteger(duration)) return duration;
  throw invalid(
    `${flag} must be a duration such as 500ms, 30s, 5m or 2h (milliseconds without a unit), not ${JSON.stringify(text)}`,
  );
}

function invalid(what: string): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Argument ${what}.`);
}
