/** What `watch` and `dev` start for each run, and beside it; nobody else is to call it. */
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

/** @param rest all arguments that the program is to see, the engine's own flags included; what those say is handed over as JSON */
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
    summary: "as watch, with resources simulated locally where they can be",
    rest,
    run: watchEntry,
  });
}

export function addWatch(program: Command, rest: readonly string[]): void {
  runCommand(program, "watch", {
    summary: "run the program, and again whenever one of its files changes",
    rest,
    run: watchEntry,
  });
}

export function addUp(program: Command, rest: readonly string[]): void {
  runCommand(program, "up", {
    aliases: ["deploy"],
    summary: "create and update what the program declares, delete what it no longer declares",
    rest,
    repeats: true,
  });
}

export function addRead(program: Command, rest: readonly string[]): void {
  runCommand(program, "read", {
    summary: "run the program with what is recorded; nothing is changed, no lock is taken",
    rest,
    asked: () => "read",
  });
}

/** Resolves when it is on its way: the program may end the process at any time. @throws EngineError `INVALID_CALL` */
async function tellSession(news: News): Promise<void> {
  if (!process.send) {
    throw new EngineError("INVALID_CALL", 'This is a part of "engine watch" and "engine dev": call one of them.');
  }
  await new Promise<void>((resolve) => {
    // Where nobody listens any more, the process is about to be told.
    process.send?.(marked(news), () => resolve());
  });
}

/** @param orphaned what is to be done first where the session has died */
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
  // Whoever was to tell it is gone.
  process.on("disconnect", () => void orphaned().finally(() => signals.raise("SIGINT", 1)));
  // To listen keeps no process that has nothing else to do.
  process.channel?.unref();
}

async function endProgram(): Promise<void> {
  if (isQuestionOpen()) {
    await tellSession({ type: "asking" });
    await answered();
  }
  if (interruptRuns(FILES_CHANGED)) return tellSession({ type: "ending", what: "run" });
  await tellSession({ type: "ending", what: "program" });
  // As a service manager would: the program may have something to close.
  raiseSignal("SIGTERM", codeOf("SIGTERM"));
}
