import type { HandlerBase } from "../../core/resource/definition.js";
import { INTERNALS } from "../../core/scope/internals.js";

/** Resolves when all that was noted so far would outlive the process: before that, nothing is done that relies on it. */
export function durable({ scope }: HandlerBase): Promise<void> {
  return scope[INTERNALS].app.ledger.drain();
}
