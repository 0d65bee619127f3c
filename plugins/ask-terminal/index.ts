/** Answers what plugins ask: by whoever sits at the terminal. */

import { processWide } from "../../core/base/index.js";
import type { EnginePlugin, ResolvedOptions } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { confirmed, standardTerminal, type Terminal } from "../internal/terminal-question.js";

export type { Terminal } from "../internal/terminal-question.js";

/** There is one terminal, whatever asks: several resources at once, or several apps. */
const turn = processWide("ask-terminal@1", () => ({ last: Promise.resolve<unknown>(undefined) }));

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
        const answered = turn.last.then(() => {
          if (scope.signal.aborted) return false;
          for (const line of details) terminal.show(line);
          return confirmed(terminal, question, scope.signal);
        });
        // The next one is asked whatever becomes of this one.
        turn.last = answered.catch(() => {});
        return answered;
      });
    },
  });
}

function canAsk({ argv, json, env = process.env }: ResolvedOptions, terminal: Terminal): boolean {
  return argv === undefined && !json && !env.CI && terminal.isThere;
}
