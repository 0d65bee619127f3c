/** Fills in options from the command line of the process: an explicit option wins over an argument. */
import { EngineError } from "../../core/base/index.js";
import type { EnginePlugin, OptionsContext } from "../../core/contract/index.js";
import { checkOptions } from "../../core/options/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { fillOptions, hasOpener, withOpener, withStore } from "../internal/flags/fill-options.js";
import type { OpenerFlag } from "../internal/flags/flag.js";
import type { GivenFlags } from "../internal/flags/given-flags.js";
import { flagsIn } from "../internal/flags/handed-over.js";
import { openerOf } from "../internal/flags/opener.js";

/** Reads `options.argv`, else the arguments of the process. */
export function cliArgs(): EnginePlugin {
  return definePlugin({
    name: "cli-args",
    apply({ hooks }) {
      hooks.options.tap("cli-args", (context) => {
        const { argv = process.argv.slice(2) } = context.options;
        checkOptions({ argv });
        const given = flagsIn(argv);
        const { stateStore, ...options } = given.options;
        const named = typeof stateStore === "string" ? withStore(context, stateStore, "--state", refuseState) : context;
        const filled = fillOptions(named, options, given.origins);
        const warnings = [...context.warnings, ...CONFLICTS.flatMap((name) => conflict(name, context, given))];
        return opened({ ...filled, warnings }, given.opener);
      });
    },
  });
}

function refuseState(): never {
  const message = "--state and the option stateStore of the program both name a state store. Leave one of them out.";
  throw new EngineError("INVALID_ARGUMENT", message);
}

/** Options that decide what a run does to which stage: an ignored argument for them is a warning. */
const CONFLICTS = ["phase", "stage"] as const;

function conflict(
  name: (typeof CONFLICTS)[number],
  { options, origins }: OptionsContext,
  given: GivenFlags,
): OptionsContext["warnings"] {
  const [winner, ignored] = [options[name], given.options[name]];
  if (winner === undefined || ignored === undefined || winner === ignored) return [];
  const message = `The run uses the ${name} "${winner}" (${origins[name] ?? "set in the program"}), not the one given with ${given.origins[name]}. Remove the option or the flag.`;
  return [{ code: `${name.toUpperCase()}_CONFLICT`, message }];
}

function opened(context: OptionsContext, opener: OpenerFlag | undefined): OptionsContext {
  if (opener === undefined || hasOpener(context)) return context;
  return withOpener(context, { options: openerOf(opener), origin: opener.flag });
}
