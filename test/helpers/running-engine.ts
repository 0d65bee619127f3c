/** The built `engine` program while it runs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { main, plainEnv } from "./engine-project.ts";

export interface RunningEngine {
  readonly process: ChildProcess;
  /** Resolves when the text is on its standard output or error; rejects when it ends without. */
  printed(part: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

export function startEngine(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningEngine {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...plainEnv(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      for (const look of waiting) look();
    });
  }
  const ended = once(child, "close").then(() => ({ code: child.exitCode, output }));
  const printed = async (part: string): Promise<void> => {
    const seen = new Promise<void>((resolve) => {
      const look = (): void => (output.includes(part) ? resolve() : undefined);
      waiting.add(look);
      look();
    });
    const gone = ended.then(() => {
      if (!output.includes(part)) throw new Error(`It ended without "${part}":\n${output}`);
    });
    await Promise.race([seen, gone]);
  };
  return { process: child, printed, ended };
}
