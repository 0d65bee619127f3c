/** What `watch` and `dev` start for each run, and beside it; nobody else is to call it. */
import type { Command } from "commander";
import { setHost } from "../../../core/plugin/index.js";
import { addFlags, type ProgramFlags } from "../flags.js";
import { checkReached, checkStage } from "../reached.js";
import { checkAsked } from "../run-command.js";
import { runEntry } from "../run-entry.js";
import { endProcesses } from "../watch/end-processes.js";
import { guardSession } from "../watch/session-guard.js";
import { obeySession, tellSession } from "../watch/watched-process.js";

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
