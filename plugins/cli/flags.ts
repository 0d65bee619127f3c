/** Turns rows of the table of flags into options of a command, and the given options into flags for the program. */
import { type Command, Option } from "commander";
import type { Flag, Offer } from "../internal/flags/flag.js";
import { type FlagUse, type GivenFlags, givenFlags } from "../internal/flags/given-flags.js";
import { FLAGS } from "../internal/flags/table.js";

/** The flags of a command that its program gets. */
export interface ProgramFlags extends GivenFlags {
  /** The flags as arguments, for `process.argv` of the program. */
  readonly words: readonly string[];
}

/** Adds the flags that the table has for the command. */
export function addFlags(command: Command): Command {
  for (const { flag, offer } of offersTo(command)) command.addOption(optionOf(flag, offer));
  return command;
}

/**
 * Returns the flags for the program: those that the command implies, and those that were given.
 *
 * @throws EngineError `INVALID_ARGUMENT`
 */
export function programFlags(command: Command): ProgramFlags {
  const path = pathOf(command);
  const implied = FLAGS.filter(({ impliedBy = [] }) => impliedBy.some((name) => name === path)).map(useOf);
  const uses = [...implied, ...usesOf(command)];
  return { ...givenFlags(uses), words: uses.map(({ name, text }) => (text === undefined ? name : `${name}=${text}`)) };
}

/** Returns the value of a flag; undefined if it was not given. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

interface Offered {
  readonly flag: Flag;
  readonly offer: Offer;
}

function offersTo(command: Command): readonly Offered[] {
  const path = pathOf(command);
  return FLAGS.flatMap((flag) =>
    flag.offers.filter(({ to }) => to.some((name) => name === path)).map((offer) => ({ flag, offer })),
  );
}

/** Returns the name that the table uses, e.g. `state list`. */
function pathOf(command: Command): string {
  const above = command.parent?.parent ? `${pathOf(command.parent)} ` : "";
  return `${above}${command.name()}`;
}

function optionOf({ name, short, value, choices, repeats, required }: Flag, offer: Offer): Option {
  const names = short === undefined ? name : `${short}, ${name}`;
  const shown = offer.value ?? value;
  const option = new Option(shown === undefined ? names : `${names} ${shown}`, offer.help);
  const allowed = offer.choices ?? choices;
  if (allowed) option.choices([...allowed]);
  if (repeats) option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
  return option.makeOptionMandatory(required === true);
}

/** Returns the given flags, without those that only the command itself reads. */
function usesOf(command: Command): readonly FlagUse[] {
  const given: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  return offersTo(command).flatMap(({ flag, offer }) => {
    const value = given[optionOf(flag, offer).attributeName()];
    if (flag.says === undefined || offer.isOwn || value === undefined) return [];
    if (value === true) return [useOf(flag)];
    return [value].flat().map((text) => ({ ...useOf(flag), text: String(text) }));
  });
}

function useOf(flag: Flag): FlagUse {
  return { flag, name: flag.name };
}
