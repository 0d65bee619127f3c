/** Refuses a program whose own options override the requested flags. */
import { EngineError } from "../../core/base/index.js";
import { INTERNALS, type Scope } from "../../core/contract/index.js";
import { isFleet } from "../fleet/brand.js";
import { FLEET } from "../internal/flags/commands.js";
import type { GivenFlags } from "../internal/flags/given-flags.js";
import { FLAGS } from "../internal/flags/table.js";

const REMOVE = "Remove that option from the program.";

const SHOWN: ReadonlySet<string> = new Set(FLAGS.filter(({ isOnlyShown }) => isOnlyShown).map(({ name }) => name));

/**
 * @param flags flags of the engine as given on the command line
 * @throws EngineError `INVALID_PROGRAM` if the program's option `argv` drops them
 */
export function checkReached(root: Scope, flags: readonly string[]): void {
  const { argv } = root[INTERNALS].options;
  const missed = argv && flags.filter((flag) => !SHOWN.has(flag) && !argv.includes(flag));
  if (!missed?.length) return;
  throw refusal(root, `You passed ${missed.join(" ")}`, "argv");
}

/** @throws EngineError `INVALID_PROGRAM` if the program chose another stage than the requested one */
export function checkStage(root: Scope, flags: GivenFlags): void {
  const { stage } = flags.options;
  if (stage === undefined || stage === root.stage) return;
  throw refusal(root, `You asked for the stage "${stage}"`, "stage");
}

/**
 * Checks a destroy: the stage of the environment counts, too.
 *
 * @param asked stage of the flag
 * @throws EngineError `INVALID_PROGRAM` if `ENGINE_STAGE` names another stage than the program, and no flag names one
 */
export function checkStageOfDestroy(root: Scope, asked: string | undefined): void {
  const stage = (root[INTERNALS].options.env ?? process.env).ENGINE_STAGE;
  if (!stage || asked !== undefined || stage === root.stage) return;
  throw refusal(root, `ENGINE_STAGE is "${stage}"`, "stage", `Unset the variable, or pass --stage ${root.stage}.`);
}

interface Ended {
  /** Default export of the program. */
  readonly main: unknown;
  readonly command: string;
  /** The program's file as it was named. */
  readonly file: string | undefined;
}

/** Error for a program that ended without an app. */
export function neverOpened(entry = "The program", ended?: Ended): EngineError {
  if (!isFleet(ended?.main))
    return new EngineError("INVALID_PROGRAM", `"${entry}" ended without opening an app: it never called engine().`);
  const { command, file } = ended;
  const use = FLEET_COMMANDS.has(`fleet ${command}`)
    ? `For all its stages, use: ${["engine fleet", command, ...(file === undefined ? [] : [file])].join(" ")}`
    : '"engine fleet --help" lists the commands for fleets.';
  const message = `"${entry}" exports the fleet "${ended.main.name}" and opens no app. ${use}`;
  return new EngineError("INVALID_PROGRAM", message);
}

const FLEET_COMMANDS: ReadonlySet<string> = new Set(FLEET);

function refusal(root: Scope, given: string, option: "argv" | "stage", advice = REMOVE): EngineError {
  const does = `would open "${root.chain.join("/")}"${option === "argv" ? " without it" : ""}`;
  const message = `${given}, but the program sets the option "${option}" itself and ${does}. Nothing was opened. ${advice}`;
  return new EngineError("INVALID_PROGRAM", message);
}
