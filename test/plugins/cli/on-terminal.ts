/** Runs the `engine` program on its own terminal, where it asks questions. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { main, type Project, plainEnv } from "../../helpers/processes/engine-project.ts";

export interface Asked extends Pick<Project, "folder"> {
  /** Variables in addition to those of a user. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Types each answer when its question appears. */
export async function onTerminal(
  { folder, env = {} }: Asked,
  args: readonly string[],
  answers: readonly (readonly [question: string, keys: string])[] = [],
  columns = 200,
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const command = [process.execPath, main, ...args].map((part) => `'${part}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols ${columns}; ${command}`, "/dev/null"], {
    cwd: folder,
    env: { ...plainEnv(), ...env },
  });
  let shown = "";
  const left = [...answers];
  child.stdout.on("data", (part: Buffer) => {
    shown += part.toString();
    const [next] = left;
    if (!next || !shown.includes(next[0])) return;
    left.shift();
    child.stdin.write(next[1]);
  });
  await once(child, "close");
  return { code: child.exitCode, shown: shown.replaceAll("\r", "") };
}
