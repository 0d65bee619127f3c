/** Runs a child process in its own process group. */
import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { EngineError, messageOf } from "../../../core/base/index.js";
import type { CommandLine } from "../../../core/contract/index.js";
import { childEnvironment, startable } from "../../internal/process/child-process.js";
import { endGroup, ownGroup } from "../../internal/process/process-group.js";
import { nameOf } from "../plain-environment.js";

export interface ChildCall {
  readonly command: CommandLine;
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the child with all processes that it started. */
  readonly signal: AbortSignal;
  onOutput(from: "stdout" | "stderr", chunk: Buffer): void;
  /** Called right after the start. */
  onStart?(pid: number): void;
}

export interface ChildEnd {
  /** 128 plus the number of the signal if one ended it, as in shells. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
}

/** Milliseconds to wait after the end of the child for its background processes to close its output. */
const DRAIN = 2_000;

/**
 * @throws EngineError `COMMAND_FAILED` if it cannot be started; after an abort, the signal's reason, when the group has
 * ended
 */
export async function runChild(call: ChildCall): Promise<ChildEnd> {
  const { signal } = call;
  signal.throwIfAborted();
  let stopping: Promise<void> | undefined;
  let stop = (): void => {};
  try {
    const child = start(call);
    // Before any await, because a fast child may end during one.
    const end = ended(child);
    const { pid } = child;
    if (pid !== undefined) {
      call.onStart?.(pid);
      stop = () => {
        stopping = endGroup(pid);
      };
      signal.addEventListener("abort", stop, { once: true });
    }
    return await end;
  } catch (error) {
    throw await notStarted(call, error);
  } finally {
    signal.removeEventListener("abort", stop);
    await stopping;
    signal.throwIfAborted();
  }
}

async function notStarted({ command, cwd }: ChildCall, cause: unknown): Promise<EngineError> {
  const message = `The command "${nameOf(command)}" could not be started in "${cwd}": ${await whyNotStarted(cwd, cause)}.`;
  return new EngineError("COMMAND_FAILED", message, { cause });
}

/** Explains why a start failed: for a missing folder the system reports that the program is missing. */
export async function whyNotStarted(cwd: string, error: unknown): Promise<string> {
  const isThere = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? messageOf(error) : "there is no such folder";
}

function start({ command, cwd, env, onOutput }: ChildCall): ChildProcess {
  const surroundings = { cwd, env: childEnvironment(env) };
  const isLine = typeof command === "string";
  const { file, args, ...how } = isLine ? { file: command, args: [] } : startable(command, surroundings);
  const child = spawn(file, args, {
    ...how,
    ...ownGroup({ outlives: false }),
    ...surroundings,
    shell: isLine,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => onOutput("stdout", chunk));
  child.stderr.on("data", (chunk: Buffer) => onOutput("stderr", chunk));
  return child;
}

/** Resolves when the child has ended. Rejects if it could not be started. */
function ended(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => {
      const release = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN);
      child.once("close", () => clearTimeout(release));
    });
    child.once("close", (code, signal) => resolve(endOf(code, signal)));
  });
}

function endOf(code: number | null, signal: NodeJS.Signals | null): ChildEnd {
  if (signal === null) return { exitCode: code ?? 1, signal: undefined };
  return { exitCode: 128 + constants.signals[signal], signal };
}
