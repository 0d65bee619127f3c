/** Programs that a release runs. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/**
 * Runs a program, and resolves with what it wrote to its standard output.
 *
 * @throws With all that it wrote, where it fails
 */
export async function execute(cwd: string, command: string, ...args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`"${[command, ...args].join(" ")}" ended with ${code}.\n${stdout}${stderr}`.trim());
  return stdout.trim();
}

/** The same with git. */
export function git(cwd: string, ...args: string[]): Promise<string> {
  return execute(cwd, "git", ...args);
}
