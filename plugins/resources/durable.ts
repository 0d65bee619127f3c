import type { HandlerBase } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";

/** Resolves when all notes so far are written to the store, so that later steps can rely on them. */
export function durable({ scope }: HandlerBase): Promise<void> {
  return appOf(scope).ledger.drain();
}
