import type { Command } from "commander";
import { checkDestroyed } from "../missing-stage.js";
import { runCommand } from "../run-command.js";

export function addPlan(program: Command, rest: readonly string[]): void {
  runCommand(program, "plan", {
    summary: "show what a run would do; nothing is changed, no lock is taken",
    rest,
    asked: () => "plan",
    async opening(root, given) {
      if (root.phase === "destroy") await checkDestroyed(root, given);
      if (given.exitCode !== true) return;
      root.events.on("plan:made", ({ actions, renamed = [], recordOnly }) => {
        if (actions.length + renamed.length + recordOnly.length > 0) process.exitCode ||= 2;
      });
    },
  });
}
