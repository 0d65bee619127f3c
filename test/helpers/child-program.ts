import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { compiledProgram } from "./compiled-program.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  /** Resolves when a line that begins like this is on its standard output or error; rejects when it ends without. */
  printed(start: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs; its state is kept there. */
  readonly cwd: string;
  /** The runtime. Default: this one. */
  readonly node?: string;
  /** A file that takes its standard output, of which nothing is seen then. */
  readonly stdoutTo?: string;
}

/** Starts a program of test/e2e/programs in a process of its own. */
export function startProgram(
  name: string,
  { args = [], env = {}, cwd, node, stdoutTo }: ProgramOptions,
): RunningProgram {
  const file = compiledProgram(new URL(`../e2e/programs/${name}.child.ts`, import.meta.url));
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
  const out: string[] = [];
  const err: string[] = [];
  const waiting = new Map<string, () => void>();
  const addTo = (lines: string[]) => (line: string) => {
    lines.push(line);
    for (const [start, seen] of waiting) if (line.startsWith(start)) seen();
  };
  linesOf(child.stdout, addTo(out));
  linesOf(child.stderr, addTo(err));
  const ended = once(child, "close").then((): Ended => {
    return { code: child.exitCode, signal: child.signalCode, stdout: out.join("\n"), stderr: err.join("\n") };
  });
  const printed = async (start: string): Promise<void> => {
    const wasPrinted = (): boolean => [...out, ...err].some((line) => line.startsWith(start));
    if (wasPrinted()) return;
    const seen = new Promise<void>((resolve) => waiting.set(start, resolve));
    const gone = ended.then(({ stdout, stderr }) => {
      if (!wasPrinted()) throw new Error(`It ended without "${start}":\n${stdout}\n${stderr}`);
    });
    await Promise.race([seen, gone]);
  };
  return { process: child, printed, ended };
}

function linesOf(input: Readable | null, take: (line: string) => void): void {
  if (input) createInterface({ input }).on("line", take);
}

export function runProgram(name: string, options: ProgramOptions): Promise<Ended> {
  return startProgram(name, options).ended;
}
