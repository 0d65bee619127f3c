/** What a plan says of an error, and of another name. */
import { EngineError, messageOf, type ResourceRef } from "../../core/base/index.js";
import type { PlanError, PlanNote } from "../../core/contract/index.js";

/** @param before the FQN that it is recorded under */
export function renamedNote({ kind, id, fqn }: ResourceRef, before: string): PlanNote {
  return { kind, id, fqn, reason: `was "${before}"` };
}

/** An error as data. */
export function planError(error: unknown): PlanError {
  if (!(error instanceof EngineError)) return { code: "RUN_FAILED", message: messageOf(error) };
  const { code, message, fqn } = error;
  return fqn === undefined ? { code, message } : { code, message, fqn };
}
