import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { until } from "../time/until.ts";
import { compiledProgram } from "./compiled-program.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  /** Resolves when a line with this beginning is on its standard output or error; rejects if it ends without one. */
  printed(start: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; its state is kept there. */
  readonly cwd: string;
  /** The runtime. Default: this one. */
  readonly node?: string;
  /** A file that gets its standard output; the test then sees none of it. */
  readonly stdoutTo?: string;
}

/** Starts a program of test/e2e/programs in a process of its own. */
export function startProgram(
  name: string,
  { args = [], env = {}, cwd, node, stdoutTo }: ProgramOptions,
): RunningProgram {
  const file = compiledProgram(new URL(`../../e2e/programs/${name}.child.ts`, import.meta.url));
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "XDG_STATE_HOME"].map((key) => [key, process.env[key]]),
  );
  const taker = stdoutTo === undefined ? undefined : openSync(stdoutTo, "w");
  const child = spawn(node ?? process.execPath, [file, ...args], {
    cwd,
    env: { ...inherited, ENGINE_STAGE: "dev", ...env },
    stdio: ["ignore", taker ?? "pipe", "pipe"],
  });
  if (taker !== undefined) closeSync(taker);
  const [out, err] = [linesOf(child.stdout), linesOf(child.stderr)];
  let isOver = false;
  const ended = once(child, "close").then((): Ended => {
    isOver = true;
    return { code: child.exitCode, signal: child.signalCode, stdout: out.join("\n"), stderr: err.join("\n") };
  });
  const printed = async (start: string): Promise<void> => {
    const wasPrinted = (lines: readonly string[]): boolean => lines.some((line) => line.startsWith(start));
    const lines = await until(
      () => [...out, ...err],
      (seen) => isOver || wasPrinted(seen),
    );
    if (!wasPrinted(lines)) throw new Error(`It ended without "${start}":\n${lines.join("\n")}`);
  };
  return { process: child, printed, ended };
}

/** The lines of a stream, added as they arrive. */
function linesOf(input: Readable | null): readonly string[] {
  const lines: string[] = [];
  if (input) createInterface({ input }).on("line", (line) => void lines.push(line));
  return lines;
}

export function runProgram(name: string, options: ProgramOptions): Promise<Ended> {
  return startProgram(name, options).ended;
}
