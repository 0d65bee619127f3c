import type { Command } from "commander";
import { UNKNOWN, withoutMarkers } from "../../../core/base/index.js";
import { checkDestroyed } from "../open-stage.js";
import { runCommand } from "../run-command.js";

export function addPlan(program: Command, rest: readonly string[]): void {
  runCommand(program, "plan", {
    summary: "show what a run would do; change nothing and take no lock",
    rest,
    asked: () => "plan",
    async opening(root, given) {
      nameUnknowns();
      if (root.phase === "destroy") await checkDestroyed(root, given);
      if (given.exitCode !== true) return;
      let isSomething = false;
      root.events.on("plan:made", ({ actions, renamed = [], recordOnly }) => {
        isSomething ||= actions.length + renamed.length + recordOnly.length > 0;
      });
      // If the run would fail or leave work unfinished, the exit code is already set.
      root.events.on("run:finished", () => {
        if (isSomething) process.exitCode ||= 2;
      });
    },
  });
}

/**
 * Replaces markers in the output of the program: they stand for values that are not known yet, and are shown by name.
 */
function nameUnknowns(): void {
  if (areNamed) return;
  areNamed = true;
  for (const stream of [process.stdout, process.stderr]) {
    const { write } = stream;
    const named = (chunk: unknown, ...rest: unknown[]): boolean =>
      Reflect.apply(write, stream, [
        typeof chunk === "string" ? withoutMarkers(chunk, (what) => `${what} ${UNKNOWN}`) : chunk,
        ...rest,
      ]);
    stream.write = named as typeof write;
  }
}

let areNamed = false;
