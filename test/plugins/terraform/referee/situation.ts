/** Where both sides differ, and what can be said of that. */
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
  /** What the run of ours has failed with. */
  readonly failure: string | undefined;
  /** What they asked for the plan, and both for the run. */
  readonly theirPlan: readonly Question[];
  readonly theirRun: readonly Question[];
  readonly ourRun: readonly Question[];
  /** Of a question: the key, and whether it is of the plan or of the run. */
  readonly where?: string;
  /** Questions of the side that has asked the one, and those of the other side. */
  readonly all?: readonly Question[];
  readonly others?: readonly Question[];
  /** Those that the other side has asked for the run, where this is about the plan, and the other way round. */
  readonly elsewhere?: readonly Question[];
}

export function isDelete(question: unknown): boolean {
  const { proposed, planned, prior } = Object(question);
  return !proposed && !planned && prior !== null;
}

/** True where one of these has deleted what they are about. */
export function haveDeleted(questions: readonly Question[]): boolean {
  return questions.some((question) => question.rpc === "ApplyResourceChange" && isDelete(question));
}

/** True where something that is created before it is deleted needed it in the step before. */
export function wasNeededFirst({ before, key }: Situation): boolean {
  const own = new Set([tagOf(key)]);
  return (
    before?.declared.some(({ tag, createBeforeDestroy }) => createBeforeDestroy && needsOneOf(before, tag, own)) ??
    false
  );
}

/** True where something that it needs has failed in the run of ours. */
export function waitsForFailed({ step, key, failure = "" }: Situation): boolean {
  const failed = [...failure.matchAll(/ of "app\/dev\/(\w+)" failed/g)].map(([, tag = ""]) => tag);
  return needsOneOf(step, tagOf(key), new Set(failed));
}

/** True where the other one is the same, with what was not known in its place. */
export function isWithKnown(one: unknown, other: unknown): boolean {
  if (Object(one).$unknown !== undefined || isDeepStrictEqual(one, other)) return true;
  if ([one, other].some((value) => typeof value !== "object" || value === null)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))]);
  return [...names].every((name) => isWithKnown(Object(one)[name], Object(other)[name]));
}

/** What the cycle is of that OpenTofu has refused to plan. */
export function cycleIn(refused: unknown): readonly string[] {
  const [, names] = /Error: Cycle: ([^\n]+)/.exec(String(refused)) ?? [];
  return names?.split(", ") ?? [];
}

export function holdsUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "$unknown" in value || Object.values(value).some(holdsUnknown);
}

/** Of all things of one name, or of what is recorded. */
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
