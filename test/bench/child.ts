/** A process of its own for each measurement. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface Child {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the process is killed. */
  readonly patience: number;
}

export interface Ended {
  /** From its start to its end. */
  readonly wallMs: number;
  /** The lines that it printed. */
  readonly lines: readonly string[];
}

/** A process exceeded its time limit. */
export class TookTooLong extends Error {}

/** @throws TookTooLong; Error with the output of the process, if it failed */
export async function runChild({ command, args, cwd, env = {}, patience }: Child): Promise<Ended> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    // Node reads the certificates at each start, which would take most of the time of a start.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience,
    killSignal: "SIGKILL",
  });
  const ended = once(child, "exit").then(() => performance.now() - started);
  const [wallMs, out, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (child.signalCode === "SIGKILL" && wallMs >= patience) throw new TookTooLong(`over ${patience / 1000} s`);
  if (child.exitCode !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}:\n${said}${out}`);
  }
  return { wallMs, lines: out.trimEnd().split("\n") };
}
