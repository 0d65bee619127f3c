/** A program may set itself what was asked for: what is done then must not be something else. */
import { EngineError } from "../../core/base/index.js";
import { INTERNALS, type Scope } from "../../core/contract/index.js";
import type { GivenFlags } from "../internal/flags/given-flags.js";
import { FLAGS } from "../internal/flags/table.js";

const SHOWN: ReadonlySet<string> = new Set(FLAGS.filter(({ isOnlyShown }) => isOnlyShown).map(({ name }) => name));

/**
 * @param flags the engine's own, as they were given on the command line
 * @throws EngineError `INVALID_PROGRAM` where the program's option `argv` keeps them from the app
 */
export function checkReached(root: Scope, flags: readonly string[]): void {
  const { argv } = root[INTERNALS].options;
  const missed = argv && flags.filter((flag) => !SHOWN.has(flag) && !argv.includes(flag));
  if (!missed?.length) return;
  throw refusal(root, ` without ${missed.join(" ")}, which was asked for: it sets the option "argv" itself`);
}

/** @throws EngineError `INVALID_PROGRAM` where the program has chosen another stage than was asked for */
export function checkStage(root: Scope, flags: GivenFlags): void {
  const { stage } = flags.options;
  if (stage === undefined || stage === root.stage) return;
  throw refusal(root, `, though the stage "${stage}" was asked for: it sets the option "stage" itself`);
}

/**
 * Of a destroy: what the environment asks for counts, too.
 *
 * @param asked by a flag
 * @throws EngineError `INVALID_PROGRAM` where `ENGINE_STAGE` names another stage than the program, and no flag does
 */
export function checkStageOfDestroy(root: Scope, asked: string | undefined): void {
  const stage = (root[INTERNALS].options.env ?? process.env).ENGINE_STAGE;
  if (!stage || asked !== undefined || stage === root.stage) return;
  const what = `, though ENGINE_STAGE is "${stage}": it sets the option "stage" itself. Unset the variable, or pass --stage ${root.stage}`;
  throw refusal(root, what);
}

/** Of a program that has ended. */
export function neverOpened(entry = "The program"): EngineError {
  const message = `"${entry}" has ended, and opened no app: it never called engine().`;
  return new EngineError("INVALID_PROGRAM", message);
}

function refusal(root: Scope, why: string): EngineError {
  const message = `The program opens "${root.chain.join("/")}"${why}. It was not opened.`;
  return new EngineError("INVALID_PROGRAM", message);
}
