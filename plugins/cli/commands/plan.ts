import type { Command } from "commander";
import { FLAGS } from "../flags.js";
import { runCommand } from "../run-command.js";

export function addPlan(program: Command, rest: readonly string[]): void {
  runCommand(program, "plan", {
    summary: "show what a run would do; nothing is changed, no lock is taken",
    flags: FLAGS.plan,
    rest,
    add: (command) =>
      command
        .option("-o, --out <file>", "save the plan, for engine up --plan <file>")
        .option("--destroy", "plan a destroy")
        .option("--exit-code", "end with 2 where there is something to do"),
    argv: ({ out, destroy }) => [
      "--plan",
      ...(destroy === true ? ["--destroy"] : []),
      ...(typeof out === "string" ? [`--out=${out}`] : []),
    ],
    asked: () => "plan",
    opening({ events }, { exitCode }) {
      if (exitCode !== true) return;
      events.on("plan:made", ({ actions }) => {
        if (actions.length > 0) process.exitCode ||= 2;
      });
    },
  });
}
