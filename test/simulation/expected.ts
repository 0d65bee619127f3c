/** Expected failures of a process, given the events that hit it and those beside it. */
import { isEngineError, RunFailedError } from "../../core/base/index.js";
import type { Started } from "../../plugins/testing/simulation/simulation.js";
import type { Chapter, Deployer } from "./history.ts";
import type { Call } from "./thing.ts";

/** Errors of a process's main function, separately. */
export function errorsOf({ outcome }: Started<unknown>): readonly unknown[] {
  if (!outcome || !("error" in outcome)) return [];
  const { error } = outcome;
  return error instanceof RunFailedError || error instanceof AggregateError ? error.errors : [error];
}

export function nameOf(error: unknown): string {
  if (isEngineError(error)) return `${error.code} ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** True for a failure that was requested. */
export function isExpected(error: unknown, chapter: Chapter, deployer: Deployer): boolean {
  const { does, blows, mishap, targets, again } = deployer;
  const { code = "", message = "" }: { code?: string; message?: string } = Object(error);
  const { lostRequest, lostReply, repeated, outage, deployers, crash } = chapter;
  const isShaken = lostRequest + lostReply + repeated > 0 || outage !== undefined || crash !== undefined;
  const isMoving = deployers.some((one) => one.does === "move");
  switch (code) {
    case "STATE_INCOMPLETE":
      return isMoving;
    case "DUPLICATE_ID":
      return does === "move";
    case "STATE_LOCKED":
    case "STATE_MOVED":
    case "UNRESOLVED":
    case "PROTECTED":
    case "DEPENDENTS_LEFT_OUT":
    case "ALIAS_CONFLICT":
    case "TIMEOUT":
      return true;
    case "FENCED":
      return deployers.length > 1 || isShaken;
    case "PLAN_STALE":
    case "PLAN_FAILED":
    case "PLAN_MISMATCH":
      return does === "apply";
    case "NOT_RECORDED":
    case "KIND_MISMATCH":
    case "READ_ONLY":
      return does === "read" || does === "move";
    case "INVALID_PROPS":
      // A branch may hold a resource that another one has destroyed.
      return /, which engine\.destroy\(\) has deleted\./.test(message);
    case "STORE_FAILED":
      return isShaken;
    case "ABORTED":
      return isShaken || deployers.length > 1 || blows.some(({ what }) => what === "SIGINT" || what === "SIGTERM");
    case "TARGET_UNMATCHED":
    case "UNKNOWN_VALUE":
      return targets.length > 0;
    case "KIND_CONFLICT":
      return again.length > 0;
    case "HANDLER_FAILED":
      return isOfWorld(message, mishap > 0);
    default:
      return message.startsWith("no program");
  }
}

/**
 * True for an error of a create that is repeated as it was begun, under its token, while one of its children cannot be
 * declared any more as it was declared then; also for that child. The run reports it, and says that only
 * `engine state forget` ends it.
 */
export function isOfCreateBegunBefore(error: unknown, errors: readonly unknown[]): boolean {
  const fqn = fqnOf(error);
  const others = errors.filter((other) => other !== error);
  if (isTokenKept(error)) return others.some((other) => fqnOf(other).startsWith(`${fqn}/`));
  return others.some((other) => isTokenKept(other) && fqn.startsWith(`${fqnOf(other)}/`));
}

/**
 * True for the update of a resource whose delete failed and may have taken effect, if its type cannot read. The error
 * says how the user ends that.
 */
export function isOfLostDelete(error: unknown): boolean {
  const { code, message = "" }: { code?: string; message?: string } = Object(error);
  return (
    code === "HANDLER_FAILED" &&
    /is there to be changed\. The resource may be gone: .*engine state forget/.test(message)
  );
}

function isTokenKept(error: unknown): boolean {
  return /with the same idempotency token, .*engine state forget/.test(String(Object(error).message));
}

function fqnOf(error: unknown): string {
  return String(Object(error).fqn);
}

/**
 * True for a resource that was deleted before it was made again, and found a foreign resource in its place. The engine
 * takes nothing over right after a delete, because a service may still show the deleted resource for a while. The next
 * run takes it over.
 */
export function isInPlaceOfDeleted(error: unknown, calls: readonly Pick<Call, "phase" | "fqn">[]): boolean {
  const { fqn, code, message = "" }: { fqn?: string; code?: string; message?: string } = Object(error);
  if (code !== "HANDLER_FAILED" || !/already exists/.test(message)) return false;
  return calls.some((call) => call.phase === "delete" && call.fqn === fqn);
}

function isOfWorld(message: string, canFail: boolean): boolean {
  if (!/: (no|lost the reply to) /.test(message)) return false;
  return canFail || /already exists|is there to be changed|aborted|it throws/.test(message);
}
