/** Answers what plugins ask: by whoever sits at the terminal. */
import type { ResolvedOptions } from "../core/options.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import { inTurn } from "./internal/open-questions.js";
import { confirmed, standardTerminal, type Terminal } from "./internal/terminal-question.js";

export type { Terminal } from "./internal/terminal-question.js";

/**
 * Asks on a terminal, one question after the other, each with its details above it. Never asks without a terminal, in CI, with `json`,
 * or in a run that is given its own `argv`. Plugins that tap the hook `ask` come first.
 */
export function askTerminal(terminal: Terminal = standardTerminal): EnginePlugin {
  return definePlugin({
    name: "ask-terminal",
    apply({ hooks, control }) {
      hooks.ask.tap({ plugin: "ask-terminal", last: true }, async ({ question, details, scope }) => {
        if (!control.options || !canAsk(control.options, terminal)) return undefined;
        return inTurn(async () => {
          // Nobody is to answer for a run that was interrupted while others were asked.
          if (scope.signal.aborted) return false;
          for (const line of details) terminal.show(line);
          return confirmed(terminal, question, scope.signal);
        });
      });
    },
  });
}

function canAsk({ argv, json, env = process.env }: ResolvedOptions, terminal: Terminal): boolean {
  return argv === undefined && !json && !env.CI && terminal.isThere;
}
