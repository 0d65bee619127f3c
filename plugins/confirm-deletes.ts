/** Asks whether more may be deleted than the option `maxDeletes` allows. */
import { EngineError } from "../core/errors.js";
import type { PruneContext } from "../core/hook-contexts.js";
import type { ResolvedOptions } from "../core/options.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import { asking } from "./internal/open-questions.js";
import { writeLine } from "./internal/standard-streams.js";

/** Where a question can be asked. */
export interface Terminal {
  /** False where nobody is there to answer. */
  readonly isThere: boolean;
  show(line: string): void;
  /** The answer; empty where there is none. */
  ask(question: string, signal: AbortSignal): Promise<string>;
}

/** So many are listed. */
const MOST = 50;

/**
 * On a terminal, lists what a finalize would delete beyond `maxDeletes`, and lets it go if the answer is `y` or `yes`.
 * Never asks without a terminal, in CI, with `json`, or in a run that is given its own `argv`: there, the limit stands.
 */
export function confirmDeletes(terminal: Terminal = standardTerminal): EnginePlugin {
  return definePlugin({
    name: "confirm-deletes",
    apply({ hooks, events, control }) {
      let isTapped = false;
      events.on("run:started", () => {
        const { options } = control;
        if (isTapped || !options || !canAsk(options, terminal)) return;
        isTapped = true;
        // Not before: the plugins that are installed later may keep items, of which nobody is to be asked.
        hooks.beforePrune.tap("confirm-deletes", (context) => confirm(context, terminal));
      });
    },
  });
}

function canAsk({ argv, json, maxDeletes, env = process.env }: ResolvedOptions, terminal: Terminal): boolean {
  return maxDeletes !== undefined && argv === undefined && !json && !env.CI && terminal.isThere;
}

async function confirm(context: PruneContext, terminal: Terminal): Promise<void> {
  const { counted, limit = Number.POSITIVE_INFINITY, scope } = context;
  if (counted.length <= limit) return;
  for (const { fqn, kind } of counted.slice(0, MOST)) terminal.show(`delete   ${fqn}  (${kind})`);
  if (counted.length > MOST) terminal.show(`and ${counted.length - MOST} more`);
  const what = counted.length === 1 ? "this resource" : `these ${counted.length} resources`;
  const answer = await terminal.ask(`Delete ${what}? [y/N] `, scope.signal);
  if (/^\s*y(es)?\s*$/i.test(answer)) return context.confirm();
  throw new EngineError(
    "TOO_MANY_DELETES",
    `Nothing was deleted: maxDeletes allows ${limit}, and to delete ${counted.length} was not confirmed.`,
  );
}

const standardTerminal: Terminal = {
  get isThere() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  show: (line) => writeLine("stderr", line),
  async ask(question, signal) {
    // Hardly a run asks anything: none has to wait for this when it starts.
    const [{ createInterface }, { standardRegion }] = await Promise.all([
      import("node:readline/promises"),
      import("./internal/live-region.js"),
    ]);
    const goOn = standardRegion().pause();
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Neither the end of the input nor Ctrl-C settles a question.
    const closed = new Promise<string>((resolve) => {
      lines.once("close", () => resolve("\n"));
      lines.once("SIGINT", () => resolve("\n"));
    });
    try {
      const answer = await asking(Promise.race([lines.question(question, { signal }), closed]));
      // The line of the question has no end yet.
      if (answer === "\n") process.stderr.write("\n");
      return answer;
    } catch {
      return ""; // The run was interrupted.
    } finally {
      lines.close();
      goOn();
    }
  },
};
