/** Fills in options from the command line of the process: an explicit option wins over an argument. */
import { readFileSync } from "node:fs";
import { EngineError, messageOf } from "../../core/base/index.js";
import type { EnginePlugin, OptionsContext } from "../../core/contract/index.js";
import { checkOptions } from "../../core/options/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { type OpenerFlag, type ParsedArgv, parseArgv } from "../internal/argv.js";
import { fillOptions, hasOpener, type OpenerOptions, withOpener } from "../internal/fill-options.js";

/** Reads `options.argv`, else the arguments of the process. */
export function cliArgs(): EnginePlugin {
  return definePlugin({
    name: "cli-args",
    apply({ hooks }) {
      hooks.options.tap("cli-args", (context) => {
        const { argv = process.argv.slice(2) } = context.options;
        checkOptions({ argv });
        const parsed = parseArgv(argv);
        const filled = fillOptions(context, parsed.options, parsed.origins);
        const warnings = [...context.warnings, ...phaseConflict(context, parsed)];
        return opened({ ...filled, warnings }, parsed.opener);
      });
    },
  });
}

function phaseConflict({ options, origins }: OptionsContext, parsed: ParsedArgv): OptionsContext["warnings"] {
  const ignored = parsed.options.phase;
  if (options.phase === undefined || ignored === undefined || options.phase === ignored) return [];
  const winner = origins.phase === undefined ? "the explicit option" : origins.phase;
  const message = `Phase "${options.phase}" (${winner}) wins over the argument ${parsed.origins.phase}, which is ignored.`;
  return [{ code: "PHASE_CONFLICT", message }];
}

const FLAGS = { passwordFile: "--password-file", keyFile: "--key-file", keyCommand: "--key-command" } as const;

function opened(context: OptionsContext, flag: OpenerFlag | undefined): OptionsContext {
  if (flag === undefined || hasOpener(context)) return context;
  return withOpener(context, { options: openerOf(flag), origin: FLAGS[flag.from] });
}

function openerOf({ from, text }: OpenerFlag): OpenerOptions["options"] {
  if (from === "keyCommand") return { key: { command: text } };
  return from === "keyFile" ? { key: read(from, text) } : { password: firstLine(from, text) };
}

function firstLine(from: OpenerFlag["from"], file: string): string {
  const [line = ""] = read(from, file).split(/\r?\n/, 1);
  if (line !== "") return line;
  throw unusable(from, file, "has no password in its first line");
}

function read(from: OpenerFlag["from"], file: string): string {
  try {
    return readFileSync(file, "utf8") || "\n";
  } catch (error) {
    throw unusable(from, file, `cannot be read: ${messageOf(error)}`, error);
  }
}

function unusable(from: OpenerFlag["from"], file: string, why: string, cause?: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Argument ${FLAGS[from]}: "${file}" ${why}.`, { cause });
}
