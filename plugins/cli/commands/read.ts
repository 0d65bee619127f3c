import type { Command } from "commander";
import { runCommand } from "../run-command.js";

export function addRead(program: Command, rest: readonly string[]): void {
  runCommand(program, "read", {
    summary: "run the program with what is recorded; nothing is changed, no lock is taken",
    rest,
    asked: () => "read",
  });
}
