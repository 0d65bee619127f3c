/** One command, run to its end. */
import { EngineError } from "../../core/base/index.js";
import type { CommandLine } from "../../core/contract/index.js";
import { checkCommand, textOf } from "../processes/command-line.js";
import { OutputTail } from "../processes/run/output-tail.js";
import { runChild } from "../processes/run/run-child.js";

export interface CommandCall {
  readonly command: CommandLine;
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes of either stream that are kept, from the end. */
const KEPT = 64 * 1024;
/** Lines that an error shows. */
const SHOWN = 20;

/** @throws EngineError `INVALID_PROPS`, `COMMAND_FAILED`; when interrupted, the signal's reason, once the command has ended */
export async function runCommand({ command, ...call }: CommandCall): Promise<CommandEnd> {
  checkCommand(command, "INVALID_PROPS");
  const tails = { stdout: new OutputTail(KEPT), stderr: new OutputTail(KEPT) };
  const both = new OutputTail(KEPT);
  const { exitCode, signal } = await runChild({
    ...call,
    command,
    onOutput(from, chunk) {
      tails[from].add(chunk);
      both.add(chunk);
    },
  });
  if (exitCode === 0) return { exitCode, stdout: tails.stdout.text, stderr: tails.stderr.text };
  const end = signal === undefined ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  throw new EngineError("COMMAND_FAILED", `The command "${textOf(command)}" ${end}.${saidLast(both)}`);
}

function saidLast(output: OutputTail): string {
  const last = output.lines(SHOWN);
  if (last.length > 0) return ` Its last lines:\n${last.map((line) => `  ${line}`).join("\n")}`;
  return output.isCut ? ` Its last line has more than ${KEPT / 1024} KiB, and is not shown.` : "";
}
