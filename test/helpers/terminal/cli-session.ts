/** The `engine` program, running in a project. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { main, type Project } from "../processes/engine-project.ts";
import { until } from "../time/until.ts";

export interface CliSession {
  readonly process: ChildProcess;
  /** Resolves with the rest of the line when this text is printed after the last match. */
  next(text: string): Promise<string>;
  /** Everything printed so far, on both streams, in the order in which it was written. */
  readonly output: string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Ends it, and all processes that it has started. */
  leave(): Promise<void>;
}

export interface SessionOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The program to start, before the arguments. Default: the `engine` program. */
  readonly program?: readonly string[];
  /** Default: both streams. */
  readonly hears?: "stdout";
}

/** Both streams share one pipe: the order of two would be unknown. */
const AS_ONE = ["-c", 'exec "$@" 2>&1', "sh", process.execPath];

export function startSession(
  { folder }: Pick<Project, "folder">,
  args: readonly string[],
  { env = {}, program = [main], hears }: SessionOptions = {},
): CliSession {
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "XDG_STATE_HOME"].map((key) => [key, process.env[key]]),
  );
  const [command, before] = hears === "stdout" ? [process.execPath, []] : ["sh", AS_ONE];
  const child = spawn(command, [...before, ...program, ...args], {
    cwd: folder,
    env: { ...inherited, ENGINE_STAGE: "dev", NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "ignore"],
    // A group of its own, by which its processes are found.
    detached: true,
  });
  let output = "";
  let from = 0;
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let isOver = false;
  const ended = once(child, "close").then(() => {
    isOver = true;
    return { code: child.exitCode, signal: child.signalCode };
  });
  const next = async (text: string): Promise<string> => {
    const lineEnd = (): number => {
      const at = output.indexOf(text, from);
      return at < 0 ? -1 : output.indexOf("\n", at);
    };
    await until(
      () => output,
      () => isOver || lineEnd() >= 0,
    );
    if (lineEnd() < 0) throw new Error(`It has ended without "${text}":\n${output}`);
    const line = output.slice(output.indexOf(text, from) + text.length, lineEnd());
    from = lineEnd();
    return line;
  };
  return {
    process: child,
    next,
    get output() {
      return output;
    },
    ended,
    async leave() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // All processes of the group are gone.
      }
      await ended;
    },
  };
}
