import type { Command } from "commander";
import { runCommand } from "../run-command.js";

export function addUp(program: Command, rest: readonly string[]): void {
  runCommand(program, "up", {
    aliases: ["deploy"],
    summary: "create and update what the program declares, delete what it no longer declares",
    rest,
    repeats: true,
  });
}
