/** Commands that run the program, and the hidden ones that `watch` and `dev` start for each run. */
import type { Command } from "commander";
import { EngineError } from "../../../core/base/index.js";
import { setHost } from "../../../core/plugin/index.js";
import { FILES_CHANGED, raiseSignal } from "../../internal/process/process-end.js";
import { interruptRuns } from "../../internal/process/process-watch.js";
import { answered, isQuestionOpen } from "../../internal/terminal/questions.js";
import { addFlags, type ProgramFlags } from "../flags.js";
import { checkReached, checkStage } from "../reached.js";
import { checkAsked, runCommand } from "../run-command.js";
import { runEntry } from "../run-entry.js";
import { isOrder, marked, type News } from "../watch/messages.js";
import { codeOf, RelayedSignals } from "../watch/relayed-signals.js";
import { watchEntry } from "../watch/session.js";
import { endProcesses, guardSession } from "../watch/session-guard.js";

/** @param rest all arguments for the program, including the engine's own flags, whose meaning is passed as JSON */
export function addWatchedRun(program: Command, rest: readonly string[]): void {
  const command = program
    .command("watched-run <entry> <flags>", { hidden: true })
    .action(async (entry: string, given: string, { envFile }: { readonly envFile?: string }) => {
      const folders = new Set<string>();
      const flags: ProgramFlags = JSON.parse(given);
      obeySession(() => endProcesses(folders, process.env.ENGINE_SESSION ?? ""));
      setHost({
        async opening(root) {
          checkAsked(root, "up");
          checkReached(root, flags.words);
          if (root.phase !== "read") checkStage(root, flags);
          folders.add(root.rootDir);
          await tellSession({ type: "opened", rootDir: root.rootDir });
        },
      });
      await runEntry({
        entry,
        argv: rest,
        flags,
        envFile,
        sources: (sources, failed) => tellSession({ type: "sources", sources, failed }),
      });
    });
  addFlags(command);
  program
    .command("guarded-session <session> <folder>", { hidden: true })
    .action((session: string, folder: string) => guardSession(session, folder));
}

export function addDev(program: Command, rest: readonly string[]): void {
  runCommand(program, "dev", {
    summary: "run like watch, but simulate resources locally if their type supports it",
    rest,
    run: watchEntry,
  });
}

export function addWatch(program: Command, rest: readonly string[]): void {
  runCommand(program, "watch", {
    summary: "run the program, and run it again whenever one of its files changes",
    rest,
    run: watchEntry,
  });
}

export function addUp(program: Command, rest: readonly string[]): void {
  runCommand(program, "up", {
    aliases: ["deploy"],
    summary: "create and update the declared resources, delete those no longer declared",
    rest,
    repeats: true,
  });
}

export function addRead(program: Command, rest: readonly string[]): void {
  runCommand(program, "read", {
    summary: "run the program with recorded outputs; change nothing and take no lock",
    rest,
    asked: () => "read",
  });
}

/**
 * Sends a message to the session. Resolves when it is sent, because the program may end the process at any time.
 *
 * @throws EngineError `INVALID_CALL` if no session started this process
 */
async function tellSession(news: News): Promise<void> {
  if (!process.send) {
    throw new EngineError(
      "INVALID_CALL",
      'This command is a part of "engine watch" and "engine dev". Call one of them.',
    );
  }
  await new Promise<void>((resolve) => {
    // If the session is gone, "disconnect" follows.
    process.send?.(marked(news), () => resolve());
  });
}

/**
 * Follows the orders of the session.
 *
 * @param orphaned called if the session died, before the program is interrupted
 */
function obeySession(orphaned: () => Promise<void>): void {
  const signals = new RelayedSignals();
  let isEnding = false;
  process.on("message", (message: unknown) => {
    if (!isOrder(message)) return;
    if (message.type === "signal") return signals.raise(message.signal, message.count);
    if (isEnding) return;
    isEnding = true;
    void endProgram();
  });
  // The session died.
  process.on("disconnect", () => void orphaned().finally(() => signals.raise("SIGINT", 1)));
  // Listening must not keep the process alive.
  process.channel?.unref();
}

async function endProgram(): Promise<void> {
  if (isQuestionOpen()) {
    await tellSession({ type: "asking" });
    await answered();
  }
  if (interruptRuns(FILES_CHANGED)) return tellSession({ type: "ending", what: "run" });
  await tellSession({ type: "ending", what: "program" });
  // SIGTERM, as a service manager sends it: the program may have to close something.
  raiseSignal("SIGTERM", codeOf("SIGTERM"));
}
