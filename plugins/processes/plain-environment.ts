/** Checks the variables and the command for a child process. */
import { EngineError, type ErrorCode, typeName } from "../../core/base/index.js";
import type { ChildEnvironment, CommandLine } from "../../core/contract/index.js";

/**
 * Returns the variables for the child, decrypted. @throws EngineError of `code`, naming the variable and never its
 * value
 */
export function plainEnvironment(env: ChildEnvironment, code: ErrorCode): Readonly<Record<string, string>> {
  const plain: [string, string][] = [];
  for (const [name, given] of Object.entries(env)) {
    if (given === undefined) continue;
    const value: unknown = typeof given === "object" && given !== null ? given.unencrypted : given;
    if (typeof value !== "string") {
      throw new EngineError(code, `The environment variable "${name}" must be a string, not ${typeName(value)}.`);
    }
    // Node would refuse it, too, but quote the beginning of the value, and a part of a secret is not redacted.
    if (value.includes("\0") || name.includes("\0")) {
      const message = `The environment variable "${name}" of the command contains a NUL character, which no process accepts. Remove this character.`;
      throw new EngineError(code, message);
    }
    plain.push([name, value]);
  }
  return Object.fromEntries(plain);
}

/** @throws EngineError of `code` */
export function checkCommand(command: unknown, code: ErrorCode): asserts command is CommandLine {
  const isList = Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === "string");
  if (!isList && (typeof command !== "string" || command.trim() === "")) {
    const given = typeof command === "string" ? "an empty string" : typeName(command);
    throw new EngineError(code, `A command must be a string, or a list of a program and its arguments, not ${given}.`);
  }
  // Node would refuse it, too, but quote its beginning, and a part of a secret is not redacted.
  if ([command].flat().some((part) => part.includes("\0"))) {
    throw new EngineError(code, "A command contains a NUL character, which no process accepts. Remove this character.");
  }
}

/** Maximum of characters of a command in a message. */
const LONGEST = 1000;

/**
 * Formats a command for a message. A command that is too long is left out as a whole, because a part of a secret is not
 * redacted.
 */
export function nameOf(command: CommandLine): string {
  const text = textOf(command);
  if (text.length <= LONGEST) return text;
  return typeof command === "string" ? "(too long to show)" : `${command[0]} … (arguments: ${command.length - 1})`;
}

/** Formats a command for people. */
export function textOf(command: CommandLine): string {
  return typeof command === "string" ? command : command.join(" ");
}
