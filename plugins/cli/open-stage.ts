/** Opens a stage for commands that do not run the program: it only determines the app and the store. */
import { EngineError, isEngineError } from "../../core/base/index.js";
import type { Scope } from "../../core/contract/index.js";
import { detachedAppOf } from "../../core/engine/index.js";
import { setHost } from "../../core/plugin/index.js";
import { type App, appOf } from "../../core/run/index.js";
import type { StageAdmin } from "../admin/operations/index.js";
import { BRAND, type Branded, isFleet } from "../fleet/brand.js";
import type { Fleet } from "../fleet/index.js";
import { handOver } from "../internal/flags/handed-over.js";
import { written } from "../internal/flags/table.js";
import { exitCodeOf } from "../internal/process/process-end.js";
import { describeError } from "../internal/text/describe-error.js";
import { findEntry } from "./entry.js";
import type { ProgramFlags } from "./flags.js";
import { endProcess, keepStdout, printJson, say } from "./output.js";
import { checkReached, checkStage, neverOpened } from "./reached.js";
import type { Given } from "./run-command.js";
import { type RanEntry, runEntry } from "./run-entry.js";
import { withAdmin } from "./state/with-admin.js";
import { warnOfStateBeside } from "./state-beside.js";

/** Location of the stage. */
export interface Where {
  /** File of the program. Default: the one in the current folder. */
  readonly entry?: string;
  /** Another app in the same store; without a program, an app whose state is in files. */
  readonly app?: string;
  readonly envFile?: string;
  readonly flags: ProgramFlags;
  /** Stage that is opened if the program is a fleet and none is named. Default: this is an error. */
  readonly fleetStage?: string;
  /** Command that does the same with all stages of a fleet, if there is one. */
  readonly fleetCommand?: string;
}

/**
 * Work on a stage. Resolves with the exit code of the process.
 *
 * @param ran the program if it is a fleet
 */
export type StageWork = (app: App, ran: RanEntry | undefined) => Promise<number> | Promise<void>;

/**
 * Runs the program up to its first `engine()`, does the work instead, and ends the process. The app is not opened: no
 * state is loaded and no lock is taken. Never resolves; failures are printed to stderr and set the exit code.
 */
export async function openStage(where: Where, work: StageWork): Promise<never> {
  keepStdout();
  let isReached = false;
  let fleet: RanEntry | undefined;
  const opening = async (app: App): Promise<never> => {
    if (isReached) return new Promise<never>(() => {});
    isReached = true;
    return end(async () => {
      const found = asked(app, where);
      const entry = findEntry(where.entry);
      if (entry !== undefined) await warnOfStateBeside(found.root, entry);
      return work(found, fleet);
    });
  };
  setHost({ opening: (root) => opening(appOf(root)) });
  return end(async () => {
    const ran = await reach(where);
    if (!isReached && isFleet(ran?.main)) {
      fleet = ran;
      await openFleet(ran.main, where);
    }
    if (isReached) return new Promise<never>(() => {});
    throw neverOpened(where.entry);
  });
}

/** Opens a stage of a fleet, as the program of one stage would. @throws EngineError `INVALID_ARGUMENT` */
async function openFleet(fleet: Fleet & Branded, { entry, flags, fleetStage, fleetCommand }: Where): Promise<void> {
  const isNamed = flags.options.stage !== undefined || Boolean(process.env.ENGINE_STAGE);
  if (!isNamed && fleetStage === undefined) {
    const file = entry === undefined ? "" : ` ${entry}`;
    const all = fleetCommand === undefined ? "" : ` For all of them, use: engine ${fleetCommand}${file}`;
    throw new EngineError(
      "INVALID_ARGUMENT",
      `The program exports the fleet "${fleet.name}", which has many stages. Name one of them with --stage.${all}`,
    );
  }
  const { engine } = await import("../index.js");
  await engine(fleet.name, { ...fleet[BRAND], ...(!isNamed && { stage: fleetStage }) });
}

/** Returns the requested app, with the options of the program's first one. @throws EngineError `INVALID_PROGRAM` */
function asked(app: App, { app: name, flags }: Where): App {
  checkReached(app.root, flags.words);
  if (name === undefined || name === app.root.appName) {
    checkStage(app.root, flags);
    return app;
  }
  return detachedAppOf(app, name, { phase: app.options.phase, stage: flags.options.stage ?? app.root.stage });
}

/** Returns the program, if it has ended. */
async function reach({ entry: file, app, envFile, flags }: Where): Promise<RanEntry | undefined> {
  const entry = findEntry(file);
  if (entry !== undefined) return runEntry({ entry, argv: flags.words, flags, envFile });
  if (app === undefined) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      `There is no engine.run.ts in "${process.cwd()}". Name the program with --entry. Or name an app with --app: its state is then read from files here, or from the store that --state names.`,
    );
  }
  const { engine } = await import("../index.js");
  handOver("engine", flags.words, flags);
  await engine(app);
  return undefined;
}

/** Ends the process with the exit code of the work, also if the program left something open. Failures are printed. */
export async function end(work: () => Promise<number | void>): Promise<never> {
  try {
    return await endProcess((await work()) ?? 0);
  } catch (error) {
    say(describeError(error, process.argv.includes(written("verbose"))));
    // A signal may have set the exit code.
    return endProcess(Number(process.exitCode) || exitCodeOf([error]));
  }
}

/**
 * True if the stage has a state. False if it has none and `--missing-ok` was given.
 *
 * @throws EngineError `NOT_RECORDED`
 */
export async function stageExists(admin: StageAdmin, { missingOk }: Given): Promise<boolean> {
  try {
    await admin.checkExists();
    return true;
  } catch (error) {
    if (missingOk === true && isEngineError(error, "NOT_RECORDED")) return false;
    throw error;
  }
}

/** Warns if the stage has no state. This is not an error, because it may not have had its first run yet. */
export async function warnIfMissing(admin: StageAdmin): Promise<void> {
  try {
    await admin.checkExists();
  } catch (error) {
    if (isEngineError(error, "NOT_RECORDED")) say(`warning: ${error.message}`);
  }
}

/** Checks an app before it opens to be destroyed. @throws EngineError `NOT_RECORDED` unless `--missing-ok` */
export async function checkDestroyed(root: Scope, given: Given): Promise<void> {
  await withAdmin(appOf(root), (admin) => stageExists(admin, given));
}

/** Reports a missing state in place of the output of a command with `--missing-ok`. Returns its exit code. */
export function nothingThere({ app, stage }: StageAdmin, { json }: Given): number {
  if (json === true) printJson({ app, stage, missing: true });
  else say(`There is no state of "${app}/${stage}".`);
  return 0;
}
