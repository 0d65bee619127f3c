/** What a type says beforehand of a change: what it comes to, and what of its output is known. */

import { updateValues } from "../../core/apply/index.js";
import { EngineError, isEngineError, typeName } from "../../core/base/index.js";
import type { Forecast, ResourceRecord } from "../../core/contract/index.js";
import { decodeOutput, decodeProps, handlersOf, inspect, notAdoptable, withAll } from "../../core/handler/index.js";
import type { Execution } from "../../core/run/index.js";
import { plannedName } from "./planned-name.js";
import type { Planner } from "./planner.js";

export interface Outcome {
  readonly action: Execution["action"] | "skip";
  /** JSON Pointers of the props that force a replacement, where the type names them. */
  readonly forcedBy: readonly string[];
  /** True where the type says that its replacement deletes first. */
  readonly deleteFirst?: boolean;
  /** True where the type cannot say yet whether it is to be replaced. */
  readonly isUndecided?: boolean;
  /** Set where the type has said so itself. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/**
 * @param before what is recorded so far
 * @param planner notes what the type finds wrong
 * @throws what the type's `plan` throws
 */
export async function forecast(
  input: Execution,
  before: ResourceRecord | undefined,
  planner?: Planner,
): Promise<Outcome> {
  const { action, task, found } = input;
  const { plan, replaces } = handlersOf(task.definition, task.scope);
  const isRight = found?.isRight === true && action === "adopt";
  if (plan && !isRight) return adoptable(input, checkedOutcome(input, await ask(input, planner)));
  if (input.phase !== "update" || !replaces) return { action, forcedBy: [] };
  let answer: ReturnType<typeof replaces>;
  try {
    const output = found || !before ? found?.output : await decodeOutput(task, before);
    answer = replaces({ props: await decodeProps(task, task.uid, task.encoded), output });
  } catch {
    return { action, forcedBy: [], isUndecided: true }; // It met a value that is not known.
  }
  return adoptable(input, {
    action: answer ? "replace" : action,
    deleteFirst: answer === "delete-first",
    forcedBy: [],
  });
}

/** @throws EngineError `INVALID_CALL` if it is an adoption, and what is there would have to be replaced */
function adoptable({ action, task }: Execution, outcome: Outcome): Outcome {
  if (action === "adopt" && outcome.action === "replace") throw notAdoptable(task.ref.fqn, outcome.forcedBy);
  return outcome;
}

async function ask(input: Execution, planner: Planner | undefined): Promise<unknown> {
  const { task, phase, record: planned } = input;
  const record = planner ? { ...planned, physicalName: plannedName(task, planned, planner) } : planned;
  const { app, scope, definition, ref, options, refs, changes } = task;
  try {
    return await inspect({
      app,
      scope,
      definition,
      ref,
      phase: "plan",
      options,
      record,
      recovering: false,
      changes: phase === "update" ? changes : [],
      isDeclared: true,
      refs,
      values: () => {
        if (phase === "update") return updateValues(input);
        const known = decodeProps(task, record.uid, task.encoded);
        return withAll([known], ([props]) => ({ props, previous: undefined, output: undefined }));
      },
    });
  } catch (error) {
    if (isEngineError(error)) planner?.refusals.add(error);
    throw error;
  }
}

const ACTIONS: readonly unknown[] = [undefined, "update", "replace", "skip"] satisfies Forecast<unknown>["action"][];

/** Only an update can come to something else. @throws EngineError `INVALID_DEFINITION` */
function checkedOutcome({ action, task }: Execution, given: unknown): Outcome {
  const {
    action: said,
    deleteFirst = false,
    forcedBy = [],
    outputs = {},
  } = Object(given) as Forecast<Readonly<Record<string, unknown>>>;
  if (typeof given !== "object" || given === null || !ACTIONS.includes(said)) {
    const got = typeof given === "object" && given !== null ? `the action ${JSON.stringify(said)}` : typeName(given);
    const message = `The plan of "${task.ref.kind}" must give { action?: "update" | "replace" | "skip", deleteFirst?, forcedBy?, outputs? }, not ${got}.`;
    throw new EngineError("INVALID_DEFINITION", message, { fqn: task.ref.fqn });
  }
  const mayBe = action === "update" || (action === "adopt" && said === "replace");
  return { action: mayBe ? (said ?? action) : action, deleteFirst, forcedBy, outputs };
}
