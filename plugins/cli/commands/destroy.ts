import type { Command } from "commander";
import { EngineError } from "../../../core/base/index.js";
import type { Definition, EnginePlugin, Logger, Plan } from "../../../core/contract/index.js";
import { detachedAppOf } from "../../../core/engine/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { type App, appOf } from "../../../core/run/index.js";
import { planLines } from "../../console-output/plan-view.js";
import { loadTheme, plainTheme, type Theme, wantsColours } from "../../console-output/theme.js";
import { writeLine } from "../../internal/terminal/standard-streams.js";
import { planOf } from "../../plan/planning.js";
import { canAsk, confirm } from "../ask.js";
import { textOf } from "../flags.js";
import { checkDestroyed } from "../open-stage.js";
import { checkStageOfDestroy } from "../reached.js";
import { runCommand } from "../run-command.js";

export function addDestroy(program: Command, rest: readonly string[]): void {
  runCommand(program, "destroy", {
    summary: "delete all recorded resources in reverse order, after asking",
    rest,
    asked: () => "destroy",
    async opening(root, given) {
      if (root.phase !== "destroy") return;
      checkStageOfDestroy(root, textOf(given.stage));
      await checkDestroyed(root, given);
      if (given.yes !== true) await ask(appOf(root));
    },
  });
}

/** @throws EngineError `NOT_CONFIRMED` */
async function ask(app: App): Promise<void> {
  const name = app.root.chain.join("/");
  const refused = (why: string): EngineError =>
    new EngineError("NOT_CONFIRMED", `"${name}" was not destroyed: ${why}.`);
  if (!canAsk()) throw refused("there is no terminal to ask on. Pass --yes to destroy without a question");
  const plan = await planOfDestroy(app);
  if (plan.actions.length === 0) return;
  const theme = await themeOfErrors();
  for (const line of planLines(plan, theme)) writeLine("stderr", line);
  const what = plan.actions.length === 1 ? "this resource" : `these ${plan.actions.length} resources`;
  if (!(await confirm(`Delete ${what} of ${name}?`, app.signal))) throw refused("you did not confirm");
}

/** The plan is printed where the question is asked, which has to be a terminal. */
async function themeOfErrors(): Promise<Theme> {
  const theme = plainTheme(() => process.stderr.columns || undefined);
  const colours = wantsColours(process.env, true);
  await loadTheme(theme, { out: colours, err: colours, isTerminal: true });
  return theme;
}

function planOfDestroy(app: App): Promise<Plan> {
  const { target, exclude, targetDependents, excludeDependents, unprotect } = app.options;
  const { destroyStrategy, destroyOrphans, force } = app.options;
  const plugins = [...(app.options.plugins ?? []), anyKind];
  const selection = { target, exclude, targetDependents, excludeDependents, unprotect };
  const own = { plugins, ...selection, destroyStrategy, destroyOrphans, force };
  const make: Parameters<typeof planOf>[0] = (options) =>
    detachedAppOf(app, app.root.appName, {
      ...own,
      phase: "destroy",
      ...options,
      quiet: true,
      json: false,
      logger: SILENT,
    });
  return planOf(make, {}, () => {});
}

/**
 * Accepts any kind. The program has not run yet, so its own kinds are unknown, and the plan only lists their resources.
 */
const anyKind: EnginePlugin = definePlugin({
  name: "destroy-any-kind",
  apply({ hooks }) {
    hooks.resolveKind.tap("destroy-any-kind", ({ kind }) => ({ ...LISTED, kind }));
  },
});

/** The command itself reports a failure of the plan, once. */
const SILENT: Logger = { info: () => {}, error: () => {} };

const HANDLERS = { create: () => undefined, delete: () => undefined };

/** Its handlers are never called: a plan calls none of them. */
const LISTED: Omit<Definition, "kind"> = {
  source: "",
  replaceOn: [],
  idempotent: false,
  verify: false,
  readLag: 0,
  recognizesOwn: false,
  isShortForm: false,
  hasLocal: false,
  handlers: () => HANDLERS,
};
