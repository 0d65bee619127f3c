/** Asks a type for the outcome of a change before the change: the action, and the known part of its output. */
import { replaceOnOf, replacingPath, updateValues } from "../../core/apply/index.js";
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
import { holdsUnknown, holdsUnknownAt, isList, textIn, UNKNOWN_TAG } from "../../core/codec/index.js";
import type { DefinedHandlers, Encoded, Forecast, OutputsContext, ResourceRecord } from "../../core/contract/index.js";
import {
  canLook,
  decodeOutput,
  decodeProps,
  handlersOf,
  inspect,
  isElsewhere,
  isLookedAt,
  isSimulated,
  notAdoptable,
  wantsAdoption,
  withAll,
} from "../../core/handler/index.js";
import type { Operation } from "../../core/run/index.js";
import { renderWhole } from "../internal/render/render-value.js";
import type { Planner } from "./planner.js";

export interface Outcome {
  readonly action: Operation<"begun">["action"] | "unchanged";
  /** JSON Pointers of the props that force a replacement, if the type names them. */
  readonly forcedBy: readonly string[];
  /** True if the type says that its replacement deletes first. */
  readonly deleteFirst?: boolean;
  /** True if the type cannot decide yet on a replacement. */
  readonly isUndecided?: boolean;
  /** Set if the `plan` of the type returned them. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/**
 * Predicts the outcome of an operation. Returns a promise only if the type has a say.
 *
 * @param before the record so far
 * @param planner collects errors that the type reports
 * @throws the errors of the type's `plan`
 */
export function forecast(
  operation: Operation<"begun">,
  before: ResourceRecord | undefined,
  planner?: Planner,
): Outcome | Promise<Outcome> {
  const { action, phase, found, definition, scope } = operation;
  const { plan, replaces } = handlersOf(definition, scope);
  const isRight = found?.isRight === true && action === "adopt";
  if (plan && !isRight) {
    return ask(operation, planner).then((given) => adoptable(operation, checkedOutcome(operation, given)));
  }
  return phase === "update" && replaces ? ifReplaced(operation, before, replaces) : { action, forcedBy: [] };
}

async function ifReplaced(
  operation: Operation<"begun">,
  before: ResourceRecord | undefined,
  replaces: NonNullable<DefinedHandlers["replaces"]>,
): Promise<Outcome> {
  const { action, found, uid, encoded } = operation;
  let answer: ReturnType<typeof replaces>;
  try {
    const output = found || !before ? found?.output : await decodeOutput(operation, before);
    answer = replaces({ props: await decodeProps(operation, uid, encoded), output });
  } catch {
    return { action, forcedBy: [], isUndecided: true }; // It used an unknown value.
  }
  return adoptable(operation, {
    action: answer ? "replace" : action,
    deleteFirst: answer === "delete-first",
    forcedBy: [],
  });
}

/** @throws EngineError `INVALID_CALL` if an adoption would have to replace the real resource */
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

/** Only an update can have another outcome. @throws EngineError `INVALID_DEFINITION` */
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

// The outputs that a type predicts, even if some props are unknown.

type Given = OutputsContext<unknown, unknown>;

/**
 * Calls `outputs` with two sets of stand-ins for the unknown values, and keeps the members that are equal in both. A
 * member computed from a stand-in, such as its length or a digest, differs and is left out. A member that holds an
 * unknown value stays unknown.
 *
 * @param given decoded values
 * @param renamed the same with other names for unknown values; undefined if all values are known
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
    return {}; // It used an unknown value.
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

/** Returns encoded props in which each unknown value has another name, of another length. */
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

/** Returns a text in which each unknown value has another name, of another length. */
export function renamedText(text: string): string {
  return withoutMarkers(text, (what) => String(unknownValue(`${what}'`)));
}

/**
 * Returns the physical name that a run would use, or the marker of an unknown value. A name that contains a part of a
 * new uid differs in each run.
 *
 * @param record undefined for a replacement without a record yet
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

/** True if a handler may ask for a replacement, or if the leftovers of an interrupted create may have to be deleted. */
export function mayReplace(
  operation: Operation<"begun">,
  { action, isUndecided = false }: Outcome,
  before: ResourceRecord | undefined,
): boolean {
  const { definition, scope, encoded } = operation;
  if (action === "update") {
    return (
      isUndecided ||
      definition.isShortForm ||
      (handlersOf(definition, scope).plan !== undefined && holdsUnknown(encoded))
    );
  }
  if (action !== "create" || before?.status !== "creating" || !canLook(operation) || !holdsUnknown(encoded))
    return false;
  return definition.isShortForm || !handlersOf(definition, scope).update || replaceOnOf(operation).length > 0;
}

/** False if the action follows only from unknown values. */
export function isCertain(
  operation: Operation<"begun">,
  { action, forcedBy }: Outcome,
  before: ResourceRecord | undefined,
): boolean {
  const { changes, encoded, found, definition, scope } = operation;
  if (!holdsUnknown(encoded)) return true;
  // The engine could not check for a resource to adopt, or for leftovers of an interrupted create. A recorded resource
  // to be created is gone.
  if (action === "create") return before ? before.status !== "creating" : !wantsAdoption(operation);
  // Nor could it check that the resource still exists, unchanged.
  if (action === "update" && isLookedAt(operation) && !found) return false;
  if (action === "replace" && before && isElsewhere(before, isSimulated(definition, scope))) return true;
  if (forcedBy.length > 0) return forcedBy.some((at) => !holdsUnknownAt(encoded, at));
  const path = action === "replace" ? replacingPath({ changes, replaceOn: replaceOnOf(operation) }) : undefined;
  if (path !== undefined) return !holdsUnknownAt(encoded, path);
  return changes.some((at) => !holdsUnknownAt(encoded, at));
}
