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
      let isSomething = false;
      root.events.on("plan:made", ({ actions, renamed = [], recordOnly }) => {
        isSomething ||= actions.length + renamed.length + recordOnly.length > 0;
      });
      // Where a run would fail, or leave its work unfinished, the code is another one by then.
      root.events.on("run:finished", () => {
        if (isSomething) process.exitCode ||= 2;
      });
    },
  });
}
