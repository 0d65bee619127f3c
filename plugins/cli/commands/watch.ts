import type { Command } from "commander";
import { runCommand } from "../run-command.js";
import { watchEntry } from "../watch/watch-entry.js";

export function addWatch(program: Command, rest: readonly string[]): void {
  runCommand(program, "watch", {
    summary: "run the program, and again whenever one of its files changes",
    rest,
    run: watchEntry,
  });
}
