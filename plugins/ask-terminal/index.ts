/** Asks the questions of plugins on the terminal. */

import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { askedAtTerminal, canAskAt, standardTerminal, type Terminal } from "../internal/terminal/questions.js";

export type { Terminal } from "../internal/terminal/questions.js";

/**
 * Asks questions on the terminal one at a time, each with its details above it. Never asks without a terminal, in CI,
 * with `json`, or in a run with its own `argv`. Plugins that tap the hook `ask` come first.
 */
export function askTerminal(terminal: Terminal = standardTerminal): EnginePlugin {
  return definePlugin({
    name: "ask-terminal",
    apply({ hooks, run }) {
      hooks.ask.tapPromise({ name: "ask-terminal", last: true }, async (context) => {
        if (!run.options || !canAskAt(terminal, run.options)) return undefined;
        return askedAtTerminal(terminal, context, context.scope.signal);
      });
    },
  });
}
