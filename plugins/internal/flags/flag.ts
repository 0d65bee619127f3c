/** What a row of the table of flags holds. */
import type { EngineOptions } from "../../../core/contract/index.js";
import type { CommandName } from "./commands.js";

export interface Flag {
  readonly name: `--${string}`;
  readonly short?: `-${string}`;
  /** What stands for its value in a help text; a switch has none. */
  readonly value?: `<${string}>`;
  /** The values that it may have, where they are few. */
  readonly choices?: readonly string[];
  /** It may be given again and again, and each value counts. */
  readonly repeats?: true;
  /** A command that has it does nothing without it. */
  readonly required?: true;
  /** It changes what is shown, and nothing that is done. */
  readonly isOnlyShown?: true;
  /** What it says to the engine. Programs take such a flag by themselves, and a command hands it to its program. */
  readonly says?: SaysByItself | SaysByValue;
  /** The commands that have it, and what their help says of it. */
  readonly offers: readonly Offer[];
  /** The commands that give it to the program without being told. */
  readonly impliedBy?: readonly CommandName[];
}

/** Of a switch. */
export interface SaysByItself {
  readonly on: (on: boolean) => Said;
  /** What it says with a value behind `=` that is neither `true` nor `false`. */
  readonly text?: ReadValue;
}

/** Of a flag that has a value. */
export interface SaysByValue {
  /** A value as it would be written, for messages. */
  readonly example: string;
  readonly text: ReadValue;
}

/** @throws EngineError `INVALID_ARGUMENT` naming the flag */
type ReadValue = (text: string, flag: string) => Said;

export interface Offer {
  readonly to: readonly CommandName[];
  readonly help: string;
  /** In place of that of the row. */
  readonly value?: `<${string}>`;
  /** It is for the command itself, and the program does not get it. */
  readonly isOwn?: true;
}

/** What one flag says: options, and what is settled only when all flags are known. */
export interface Said extends Omit<EngineOptions, "phase"> {
  readonly destroy?: boolean;
  readonly read?: boolean;
  readonly opener?: OpenerFlag;
}

/** `passwordFile`: its first line is the password. `keyFile`: it holds a key. `keyCommand`: a line for the shell. */
export interface OpenerFlag {
  readonly from: "passwordFile" | "keyFile" | "keyCommand";
  readonly text: string;
  /** Name of the flag, for messages. */
  readonly flag: string;
}
