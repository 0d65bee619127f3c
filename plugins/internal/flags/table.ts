/**
 * Table of all flags except `--help` and `--version`, in the order of the help texts. Commands, programs, completion
 * and the detection of typos use it.
 */
import { COMMAND_FLAGS } from "./command-flags.js";
import { ENGINE_FLAGS } from "./engine-flags.js";
import type { Flag } from "./flag.js";

const ROWS = [...COMMAND_FLAGS, ...ENGINE_FLAGS] as const;

type Row = (typeof ROWS)[number];
type KeyOf<Name> = Name extends `--${infer Key}` ? Key : never;

/** The name of a flag without its dashes. */
export type FlagKey = KeyOf<Row["name"]>;

/** The allowed values of a flag that lists them. */
export type ChoiceOf<Key extends FlagKey> = Extract<
  Row,
  { readonly name: `--${Key}`; readonly choices: readonly string[] }
>["choices"][number];

export const FLAGS: readonly Flag[] = ROWS;

const byName: ReadonlyMap<string, Flag> = new Map(FLAGS.map((flag) => [flag.name, flag]));

/** @param name with its dashes */
export function flagNamed(name: string): Flag | undefined {
  return byName.get(name);
}

/** Formats a flag, alone or with a value. */
export function written(key: FlagKey, value?: string): string {
  return value === undefined ? `--${key}` : `--${key}=${value}`;
}
