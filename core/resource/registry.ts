/** kind → definition, shared by all copies of the package in the process. */
import { EngineError, processWide } from "../base/index.js";
import type { Definition } from "../contract/index.js";

const kinds = processWide("kinds@1", () => new Map<string, Definition>());

/**
 * Registers a definition. The same handlers again are accepted: several copies of a package, or a reloaded module.
 *
 * @throws EngineError `KIND_CONFLICT` when the kind has other handlers
 */
export function register(definition: Definition): void {
  const existing = kinds.get(definition.kind);
  if (existing && existing.source !== definition.source) {
    throw new EngineError(
      "KIND_CONFLICT",
      `The kind "${definition.kind}" is defined twice, with different handlers. Give one of them another name.`,
    );
  }
  kinds.set(definition.kind, definition);
}

export function definitionOf(kind: string): Definition | undefined {
  return kinds.get(kind);
}
