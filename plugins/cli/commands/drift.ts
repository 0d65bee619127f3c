import type { Command } from "commander";
import { detachedAppOf, type EngineApp } from "../../../core/engine/index.js";
import type { Drift } from "../../plan/drift.js";
import { driftOf } from "../../plan/planning.js";
import { driftLines } from "../drift-lines.js";
import { addFlags, programFlags, textOf } from "../flags.js";
import { nothingThere, stageExists } from "../missing-stage.js";
import { openStage } from "../open-stage.js";
import { print, printJson } from "../output.js";
import type { Given } from "../run-command.js";
import { withAdmin } from "../state/with-admin.js";

export function addDrift(program: Command): void {
  const command = program
    .command("drift [entry]")
    .summary("look at everything that is recorded, and tell what is not as recorded")
    .description(
      "Looks at everything that is recorded, and tells what is not as recorded. Nothing is changed, no lock is taken.",
    );
  addFlags(command);
  command.action(async (entry: string | undefined, given: Given) => {
    const envFile = textOf(given.envFile);
    await openStage({ entry, envFile, flags: programFlags(command) }, async (app) => {
      const missing = await withAdmin(app, async (admin) =>
        (await stageExists(admin, given)) ? undefined : nothingThere(admin, given),
      );
      return missing ?? printDrift(await look(app), given);
    });
  });
}

function look(app: EngineApp): Promise<Drift> {
  const { concurrency } = app.options;
  return driftOf((options) => detachedAppOf(app, app.root.appName, { concurrency, ...options, quiet: true }), {});
}

function printDrift(drift: Drift, { json, exitCode }: Given): number {
  if (json === true) printJson(asJson(drift));
  else for (const line of driftLines(drift)) print(line);
  if (drift.errors.length > 0) return 1;
  if (exitCode !== true) return 0;
  return drift.resources.length > 0 ? 2 : drift.unread.length > 0 ? 4 : 0;
}

/** That nothing is printed meanwhile is no property of what was found. */
function asJson({ resources, unread, ...rest }: Drift): object {
  const loud = <T extends { readonly quiet?: true }>({ quiet: _, ...one }: T): object => one;
  return { ...rest, resources: resources.map(loud), unread: unread.map(loud) };
}
