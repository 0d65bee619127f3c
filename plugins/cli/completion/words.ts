/** Words for completion, taken from the definition of the commands. */
import type { Command } from "commander";

export interface Words {
  /** Names of the commands down to this one, e.g. `state list`; empty for the program itself. */
  readonly path: string;
  /** Subcommands, and the allowed values of arguments. */
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
}

export interface Word {
  readonly name: string;
  readonly about: string;
}

export interface OptionWord {
  readonly long: string;
  readonly short?: string;
  readonly about: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export function wordsOf(command: Command, path = ""): readonly Words[] {
  const shown = command.createHelp().visibleCommands(command);
  const own: Words = {
    path,
    commands: [
      ...shown.flatMap((one) =>
        [one.name(), ...one.aliases()].map((name) => ({ name, about: one.summary() || one.description() })),
      ),
      ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((name) => ({ name, about: description })),
      ),
    ],
    options: command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, short, description, required, optional, argChoices = [] }) =>
        long === undefined || long === null
          ? []
          : [
              {
                long,
                ...(short && { short }),
                about: description,
                takesValue: required || optional,
                choices: argChoices,
              },
            ],
      ),
  };
  const below = shown
    .filter((one) => command.commands.includes(one))
    .flatMap((one) =>
      [one.name(), ...one.aliases()].flatMap((name) => wordsOf(one, path === "" ? name : `${path} ${name}`)),
    );
  return [own, ...below];
}
