/** Fills in options from the command line of the process: an explicit option wins over an argument. */
import { readFileSync } from "node:fs";
import { EngineError, messageOf } from "../core/errors.js";
import type { OptionsContext } from "../core/hook-contexts.js";
import { checkOptions } from "../core/option-rules.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import { type ParsedArgv, parseArgv } from "./internal/argv.js";
import { fillOptions } from "./internal/fill-options.js";

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
        return withPassword({ ...filled, warnings }, parsed.passwordFile);
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

function withPassword(context: OptionsContext, file: string | undefined): OptionsContext {
  if (file === undefined || context.options.password !== undefined) return context;
  return fillOptions(context, { password: firstLine(file) }, { password: "--password-file" });
}

function firstLine(file: string): string {
  const [line = ""] = read(file).split(/\r?\n/, 1);
  if (line !== "") return line;
  throw unusable(file, "has no password in its first line");
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusable(file, `cannot be read: ${messageOf(error)}`, error);
  }
}

function unusable(file: string, why: string, cause?: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Argument --password-file: "${file}" ${why}.`, { cause });
}
