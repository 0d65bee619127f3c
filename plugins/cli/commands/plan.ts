import type { Command } from "commander";
import { runCommand } from "../run-command.js";

export function addPlan(program: Command, rest: readonly string[]): void {
  runCommand(program, "plan", {
    summary: "show what a run would do; nothing is changed, no lock is taken",
    rest,
    asked: () => "plan",
    opening({ events }, { exitCode }) {
      if (exitCode !== true) return;
      let isSomething = false;
      events.on("plan:made", ({ actions, renamed = [], recordOnly }) => {
        isSomething ||= actions.length + renamed.length + recordOnly.length > 0;
      });
      // Where a run would fail, or leave its work unfinished, the code is another one by then.
      events.on("run:finished", () => {
        if (isSomething) process.exitCode ||= 2;
      });
    },
  });
}
