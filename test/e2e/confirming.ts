/** A program that has made three resources and would delete two of them, on a terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeEach } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { compiledProgram } from "../helpers/processes/compiled-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";

/** Gives each test a folder in which three resources are recorded. */
export function threeEach(): void {
  folderEach();
  beforeEach(() => runProgram("confirming", { cwd, env: { COUNT: "3" } }));
}

/** Runs the program on a terminal, and presses keys when it asks. */
export async function onTerminal(keys: string, env: Readonly<Record<string, string>> = {}) {
  const file = compiledProgram(new URL("programs/confirming.child.ts", import.meta.url));
  const command = [process.execPath, file, "--max-deletes=1"];
  const child = spawn("script", ["-qec", command.map((part) => `'${part}'`).join(" "), "/dev/null"], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ENGINE_STAGE: "dev", COUNT: "1", ...env },
  });
  let shown = "";
  child.stdout.on("data", (part: Buffer) => {
    const wasAsked = shown.includes("[y/N]");
    shown += part.toString();
    if (!wasAsked && shown.includes("[y/N]")) child.stdin.write(keys);
  });
  await once(child, "close");
  return { code: child.exitCode, shown, recorded: (await stateIn(cwd, "confirming")).recorded };
}
