import type { Command } from "commander";
import { FLAGS } from "../flags.js";
import { runCommand } from "../run-command.js";

export function addUp(program: Command, rest: readonly string[]): void {
  runCommand(program, "up", {
    aliases: ["deploy"],
    summary: "create and update what the program declares, delete what it no longer declares",
    flags: [{ flags: "--plan <file>", description: "do what a saved plan says, and nothing else" }, ...FLAGS.up],
    rest,
    repeats: true,
  });
}
