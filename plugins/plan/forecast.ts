/** What a type says beforehand of a change: what it comes to, and what of its output is known. */
import { updateValues } from "../../core/apply/index.js";
import {
  EngineError,
  hasMarker,
  isEngineError,
  knownMembers,
  typeName,
  unknownName,
  unknownValue,
  withoutMarkers,
} from "../../core/base/index.js";
import { isList, textIn, UNKNOWN_TAG } from "../../core/codec/index.js";
import type { Encoded, Forecast, OutputsContext, ResourceRecord } from "../../core/contract/index.js";
import { decodeOutput, decodeProps, handlersOf, inspect, notAdoptable, withAll } from "../../core/handler/index.js";
import type { Operation } from "../../core/run/index.js";
import { renderWhole } from "../internal/render/render-value.js";
import type { Planner } from "./planner.js";

export interface Outcome {
  readonly action: Operation<"begun">["action"] | "unchanged";
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
  operation: Operation<"begun">,
  before: ResourceRecord | undefined,
  planner?: Planner,
): Promise<Outcome> {
  const { action, phase, found, definition, scope, uid, encoded } = operation;
  const { plan, replaces } = handlersOf(definition, scope);
  const isRight = found?.isRight === true && action === "adopt";
  if (plan && !isRight) return adoptable(operation, checkedOutcome(operation, await ask(operation, planner)));
  if (phase !== "update" || !replaces) return { action, forcedBy: [] };
  let answer: ReturnType<typeof replaces>;
  try {
    const output = found || !before ? found?.output : await decodeOutput(operation, before);
    answer = replaces({ props: await decodeProps(operation, uid, encoded), output });
  } catch {
    return { action, forcedBy: [], isUndecided: true }; // It met a value that is not known.
  }
  return adoptable(operation, {
    action: answer ? "replace" : action,
    deleteFirst: answer === "delete-first",
    forcedBy: [],
  });
}

/** @throws EngineError `INVALID_CALL` if it is an adoption, and what is there would have to be replaced */
function adoptable({ action, ref }: Operation<"begun">, outcome: Outcome): Outcome {
  if (action === "adopt" && outcome.action === "replace") throw notAdoptable(ref.fqn, outcome.forcedBy);
  return outcome;
}

async function ask(operation: Operation<"begun">, planner: Planner | undefined): Promise<unknown> {
  const { phase, record: planned, changes, encoded } = operation;
  const record = planner ? { ...planned, physicalName: plannedName(operation, planned, planner) } : planned;
  try {
    return await inspect(operation, {
      phase: "plan",
      record,
      changes: phase === "update" ? changes : [],
      values: () => {
        if (phase === "update") return updateValues(operation);
        const known = decodeProps(operation, record.uid, encoded);
        return withAll([known], ([props]) => ({ props, previous: undefined, output: undefined }));
      },
    });
  } catch (error) {
    if (isEngineError(error)) planner?.refusals.add(error);
    throw error;
  }
}

const ACTIONS: readonly unknown[] = [
  undefined,
  "update",
  "replace",
  "unchanged",
] satisfies Forecast<unknown>["action"][];

/** Only an update can come to something else. @throws EngineError `INVALID_DEFINITION` */
function checkedOutcome({ action, ref }: Operation<"begun">, given: unknown): Outcome {
  const {
    action: said,
    deleteFirst = false,
    forcedBy = [],
    outputs = {},
  } = Object(given) as Forecast<Readonly<Record<string, unknown>>>;
  if (typeof given !== "object" || given === null || !ACTIONS.includes(said)) {
    const got = typeof given === "object" && given !== null ? `the action ${JSON.stringify(said)}` : typeName(given);
    const message = `The plan of "${ref.kind}" must return { action?: "update" | "replace" | "unchanged", deleteFirst?, forcedBy?, outputs? }, not ${got}.`;
    throw new EngineError("INVALID_DEFINITION", message, { fqn: ref.fqn });
  }
  const mayBe = action === "update" || (action === "adopt" && said === "replace");
  return { action: mayBe ? (said ?? action) : action, deleteFirst, forcedBy, outputs };
}

// What a type's `outputs` say beforehand, also where some of the props are not known yet.

type Given = OutputsContext<unknown, unknown>;

/**
 * Calls `outputs` with two sets of stand-ins for the unknown values, and keeps the members that come out alike. One that was
 * computed from a stand-in, such as its length or a digest, differs and is left out; one that holds an unknown value is kept as
 * that.
 *
 * @param given with decoded values
 * @param renamed the same with other names for what is not known; undefined where all is known
 */
export function knownOutputs(
  outputs: (given: Given) => unknown,
  given: Given,
  renamed: Given | undefined,
): Readonly<Record<string, unknown>> {
  if (renamed === undefined) return { ...Object(outputs(given)) };
  try {
    const [one, other] = [membersOf(outputs(given)), membersOf(outputs(renamed))];
    return Object.fromEntries(Object.entries(one).filter(([key, value]) => isSame(value, other[key])));
  } catch {
    return {}; // It met a value that is not known.
  }
}

function membersOf(output: unknown): Readonly<Record<string, unknown>> {
  const members = unknownName(output) === undefined ? { ...Object(output) } : knownMembers(output);
  return Object.fromEntries(Object.entries(members).filter(([key]) => !hasMarker(key)));
}

function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((value) => JSON.stringify(renderWhole(value, (text) => text)));
  return first === second;
}

/** Encoded props in which each unknown value has another name, of another length. */
export function renamedUnknowns(encoded: Encoded): Encoded {
  if (typeof encoded === "string") return renamedText(encoded);
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (isList(encoded)) return encoded.map(renamedUnknowns);
  return Object.fromEntries(
    Object.entries(encoded).map(([key, member]): [string, Encoded] => {
      if (key === UNKNOWN_TAG && isList(member)) return [key, [`${member[0]}'`, renamedUnknowns(member[1] ?? {})]];
      if (key === "$bytes" && isList(member)) {
        return [key, [member[0] ?? null, Buffer.from(renamedText(textIn(member)), "latin1").toString("base64")]];
      }
      return [renamedText(key), renamedUnknowns(member)];
    }),
  );
}

/** The text in which each unknown value has another name, of another length. */
export function renamedText(text: string): string {
  return withoutMarkers(text, (what) => String(unknownValue(`${what}'`)));
}

/**
 * The physical name that a run would use, or the marker of an unknown value: a name with a part of a new uid is another one in each run.
 *
 * @param record undefined for a replacement that has none yet
 */
export function plannedName(
  { ref, scope }: Operation,
  record: ResourceRecord | undefined,
  { recorded }: Planner,
): string {
  const name = record?.physicalName;
  const isSettled = record && (recorded.has(record.uid) || name === scope.createPhysicalName(ref.id));
  return isSettled && name !== undefined ? name : String(unknownValue(`${ref.fqn}.physicalName`));
}
