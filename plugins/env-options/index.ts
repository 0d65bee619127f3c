/** Fills in options from the environment. Explicit options and arguments win. */
import { EngineError } from "../../core/base/index.js";
import type { EngineOptions, EnginePlugin } from "../../core/contract/index.js";
import { resolveStage } from "../../core/options/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { fillOptions, hasOpener, type OpenerOptions, withOpener, withStore } from "../internal/flags/fill-options.js";
import { outerWatch } from "../internal/process/outer-watch.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `options.env`, else the environment of the process. Variables that are empty count as absent. */
export function envOptions(): EnginePlugin {
  return definePlugin({
    name: "env",
    apply({ hooks }) {
      hooks.options.tap("env", (context) => {
        const env = context.options.env ?? process.env;
        const stage = resolveStage(env);
        const watcher = watcherOf(context.options);
        const watch = watcher === undefined ? undefined : true;
        const filled = fillOptions(context, { stage: stage?.stage, watch }, { stage: stage?.origin, watch: watcher });
        const opened = hasOpener(filled) ? filled : withOpener(filled, openerIn(env));
        const url = env.ENGINE_STATE?.trim();
        return url ? withStore(opened, url, "ENGINE_STATE") : opened;
      });
    },
  });
}

/** @throws EngineError `INVALID_OPTION` if several are set */
function openerIn(env: Environment): OpenerOptions {
  const { ENGINE_PASSWORD, ENGINE_KEY, ENGINE_KEY_COMMAND } = env;
  const [first, second] = Object.entries({ ENGINE_PASSWORD, ENGINE_KEY, ENGINE_KEY_COMMAND }).filter(
    ([, text]) => text,
  );
  if (second !== undefined) {
    const message = `${first?.[0]} and ${second[0]} are both set, but only one of them may be set. Unset the one that you do not use.`;
    throw new EngineError("INVALID_OPTION", message);
  }
  if (ENGINE_PASSWORD) return { options: { password: ENGINE_PASSWORD }, origin: "ENGINE_PASSWORD" };
  if (ENGINE_KEY) return { options: { key: ENGINE_KEY }, origin: "ENGINE_KEY" };
  return {
    options: { key: ENGINE_KEY_COMMAND ? { command: ENGINE_KEY_COMMAND } : undefined },
    origin: "ENGINE_KEY_COMMAND",
  };
}

/** If the option `env` is given, only its variables count, not the parent of the process. */
function watcherOf({ env, watch }: EngineOptions): string | undefined {
  if (watch !== undefined) return undefined;
  if (env !== undefined) return env.WATCH_REPORT_DEPENDENCIES ? "node --watch" : undefined;
  return outerWatch();
}
