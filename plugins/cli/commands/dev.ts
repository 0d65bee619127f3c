import type { Command } from "commander";
import { runCommand } from "../run-command.js";
import { watchEntry } from "../watch/watch-entry.js";

export function addDev(program: Command, rest: readonly string[]): void {
  runCommand(program, "dev", {
    summary: "as watch, with resources simulated locally where they can be",
    rest,
    run: watchEntry,
  });
}
