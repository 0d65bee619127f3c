/** The situation of a difference, and predicates about it. */
import { isDeepStrictEqual } from "node:util";
import type { Step } from "./configuration.ts";
import { needsOneOf, tagOf } from "./groups.ts";
import type { Question } from "./questions.ts";
import { schemaOf } from "./schema-of.ts";

export interface Situation {
  readonly step: Step;
  readonly before: Step | undefined;
  /** `TYPE.TAG` */
  readonly key: string;
  /** Actions of both plans. */
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
  /** Failure of the engine's run. */
  readonly failure: string | undefined;
  /** Questions of OpenTofu's plan, and of both runs. */
  readonly theirPlan: readonly Question[];
  readonly theirRun: readonly Question[];
  readonly ourRun: readonly Question[];
  /** For a question: the key, and whether it belongs to the plan or to the run. */
  readonly where?: string;
  /** Questions of the side that asked it, and those of the other side. */
  readonly all?: readonly Question[];
  readonly others?: readonly Question[];
  /** Questions of the other side in the other command: in its run if this is about the plan, and vice versa. */
  readonly elsewhere?: readonly Question[];
}

export function isDelete(question: unknown): boolean {
  const { proposed, planned, prior } = Object(question);
  return !proposed && !planned && prior !== null;
}

/** True if one of these questions deleted its object. */
export function haveDeleted(questions: readonly Question[]): boolean {
  return questions.some((question) => question.rpc === "ApplyResourceChange" && isDelete(question));
}

/** True if a resource that is created before its old copy is deleted needed it in the previous step. */
export function wasNeededFirst({ before, key }: Situation): boolean {
  const own = new Set([tagOf(key)]);
  return (
    before?.declared.some(({ tag, createBeforeDestroy }) => createBeforeDestroy && needsOneOf(before, tag, own)) ??
    false
  );
}

/** True if a resource that it needs failed in the engine's run. */
export function waitsForFailed({ step, key, failure = "" }: Situation): boolean {
  const failed = [...failure.matchAll(/ of "app\/dev\/(\w+)" failed/g)].map(([, tag = ""]) => tag);
  return needsOneOf(step, tagOf(key), new Set(failed));
}

/** True if both are equal except that unknown values became known. */
export function isWithKnown(one: unknown, other: unknown): boolean {
  if (Object(one).$unknown !== undefined || isDeepStrictEqual(one, other)) return true;
  if ([one, other].some((value) => typeof value !== "object" || value === null)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))]);
  return [...names].every((name) => isWithKnown(Object(one)[name], Object(other)[name]));
}

/** Tags of the cycle for which OpenTofu refused to plan. */
export function cycleIn(refused: unknown): readonly string[] {
  const [, names] = /Error: Cycle: ([^\n]+)/.exec(String(refused)) ?? [];
  return names?.split(", ") ?? [];
}

export function holdsUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "$unknown" in value || Object.values(value).some(holdsUnknown);
}

/** True for exactly one real object, or for a recorded state. */
export function isThereOnce(there: unknown): boolean {
  return Array.isArray(there) ? there.length === 1 : there !== undefined;
}

export function isOfPlan(where = ""): boolean {
  return where.endsWith("of the plan");
}

export function isOfSameVersion(question: unknown): boolean {
  const { version, typeName } = Object(question);
  return version === schemaOf(typeName, false).version;
}
