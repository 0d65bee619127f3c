import type { Command } from "commander";
import { runCommand } from "../run-command.js";

export function addPlan(program: Command, rest: readonly string[]): void {
  runCommand(program, "plan", {
    summary: "show what a run would do; nothing is changed, no lock is taken",
    rest,
    asked: () => "plan",
    opening({ events }, { exitCode }) {
      if (exitCode !== true) return;
      events.on("plan:made", ({ actions, renamed = [], recordOnly }) => {
        if (actions.length + renamed.length + recordOnly.length > 0) process.exitCode ||= 2;
      });
    },
  });
}
