/** What `watch` and `dev` start for each run; nobody else is to call it. */
import type { Command } from "commander";
import { setHost } from "../../../core/plugin/index.js";
import { checkReached } from "../reached.js";
import { checkAsked } from "../run-command.js";
import { runEntry } from "../run-entry.js";
import { endProcesses } from "../watch/end-processes.js";
import { obeySession, tellSession } from "../watch/watched-process.js";

/** @param rest all arguments of the program, the engine's own flags included */
export function addWatchedRun(program: Command, rest: readonly string[]): void {
  program
    .command("watched-run <entry>", { hidden: true })
    .option("--env-file <file>")
    .action(async (entry: string, { envFile }: { readonly envFile?: string }) => {
      const folders = new Set<string>();
      // What stands behind the next -- is the program's own.
      const flags = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
      obeySession(() => endProcesses(folders, process.env.ENGINE_SESSION ?? ""));
      setHost({
        async opening(root) {
          checkAsked(root, "up");
          checkReached(root, flags);
          folders.add(root.rootDir);
          await tellSession({ type: "opened", rootDir: root.rootDir });
        },
      });
      await runEntry({
        entry,
        argv: rest,
        envFile,
        sources: (sources, failed) => tellSession({ type: "sources", sources, failed }),
      });
    });
}
