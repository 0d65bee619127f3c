import type { HandlerBase } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";

/** Resolves when all that was noted so far would outlive the process: before that, nothing is done that relies on it. */
export function durable({ scope }: HandlerBase): Promise<void> {
  return appOf(scope).ledger.drain();
}
