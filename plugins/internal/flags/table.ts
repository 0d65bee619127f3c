/**
 * Every flag there is, in the order in which help shows them, but for `--help` and `--version`. What the commands have, what programs
 * take by themselves, completion and the search for slips all go by this.
 */
import { COMMAND_FLAGS } from "./command-flags.js";
import { ENGINE_FLAGS } from "./engine-flags.js";
import type { Flag } from "./flag.js";

const ROWS = [...COMMAND_FLAGS, ...ENGINE_FLAGS] as const;

type Row = (typeof ROWS)[number];
type KeyOf<Name> = Name extends `--${infer Key}` ? Key : never;

/** The name of a flag without its dashes. */
export type FlagKey = KeyOf<Row["name"]>;

/** The values that a flag may have, of one that names them. */
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

/** A flag as it is written: alone, or with a value. */
export function written(key: FlagKey, value?: string): string {
  return value === undefined ? `--${key}` : `--${key}=${value}`;
}
