/** Turns all given flags into options. */
import type { Phase } from "../../../core/base/index.js";
import type { EngineOptions, OptionOrigins } from "../../../core/contract/index.js";
import type { Flag, OpenerFlag, Said } from "./flag.js";
import { invalid } from "./flag.js";

/** Given flags as plain data, so that they can be sent to another process as JSON. */
export interface GivenFlags {
  readonly options: EngineOptions;
  /** Flag that each option came from. */
  readonly origins: OptionOrigins;
  /** The last flag with a password or key for secrets; its file is not read yet. */
  readonly opener: OpenerFlag | undefined;
}

/** A flag as it was given. */
export interface FlagUse {
  readonly flag: Flag;
  /** As it was written, e.g. `--no-force`. */
  readonly name: string;
  readonly isNegated?: true;
  /** Its value; undefined for a switch without one. */
  readonly text?: string;
}

/** @throws EngineError `INVALID_ARGUMENT` naming the flag */
function saidBy({ flag: { name: plain, says }, name, isNegated, text }: FlagUse): Said {
  if (says === undefined) return {};
  if ("example" in says) {
    if (text) return says.text(text, plain);
    throw invalid(`${name} needs a value, e.g. ${name} ${says.example}`);
  }
  if (says.text === undefined || !text || TRUTHS.has(text)) return says.on(isOn(name, isNegated === true, text));
  if (isNegated) throw invalid(`${name} takes no value`);
  return says.text(text, plain);
}

const TRUTHS: ReadonlySet<string> = new Set(["true", "false"]);

function isOn(name: string, isNegated: boolean, value: string | undefined): boolean {
  if (value === undefined) return !isNegated;
  if (!isNegated && TRUTHS.has(value)) return value === "true";
  throw invalid(`${name} ${isNegated ? "takes no value" : `must be true or false, not ${JSON.stringify(value)}`}`);
}

/**
 * Combines flags to options. The last of repeated flags wins; flags of lists add up.
 *
 * @throws EngineError `INVALID_ARGUMENT` naming the flag
 */
export function givenFlags(uses: Iterable<FlagUse>): GivenFlags {
  let said: Said = {};
  let origins: Readonly<Record<string, string>> = {};
  for (const use of uses) {
    const next = saidBy(use);
    said = { ...said, ...next, ...listsOf(said, next) };
    origins = { ...origins, ...Object.fromEntries(Object.keys(next).map((name) => [name, use.name])) };
  }
  return settled(said, origins);
}

function settled(said: Said, origins: Readonly<Record<string, string>>): GivenFlags {
  const { destroy, read, opener, planOut, ...rest } = said;
  // Without a plan to write, the flag belongs to the program.
  const options = planOut !== undefined && rest.plan ? { ...rest, planOut } : rest;
  if (destroy && read) throw invalid("--destroy contradicts --read: leave one of them out");
  const phase: Phase | undefined = destroy ? "destroy" : read ? "read" : undefined;
  const sources = Object.fromEntries(Object.keys(options).map((name) => [name, origins[name]]));
  if (phase === undefined) return { options, origins: sources, opener };
  return { options: { ...options, phase }, origins: { ...sources, phase: origins[phase] }, opener };
}

/** Appends the values of list flags to the earlier ones. */
function listsOf(before: Said, { target, exclude }: Said): Said {
  return {
    ...(target && { target: [...(before.target ?? []), ...target] }),
    ...(exclude && { exclude: [...(before.exclude ?? []), ...exclude] }),
  };
}
