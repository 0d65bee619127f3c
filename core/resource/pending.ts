import { EngineError } from "../errors.js";
import type { Scope } from "../scope/scope.js";

/** A declared resource: a promise of its output that also says which resource it is. */
export interface PendingResource<Output> extends Promise<Output> {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
  readonly scope: Scope;
}

const BRAND = Symbol.for("scope-engine/pending");

/** Makes a promise a pending resource. It stays a native promise: awaiting it costs no extra turn. */
export function markPending<Output>(
  promise: Promise<Output>,
  kind: string,
  id: string,
  scope: Scope,
): PendingResource<Output> {
  const inString = (): never => {
    throw new EngineError(
      "PENDING_IN_STRING",
      `"${scope.fqn(id)}" was put into a string or serialised before it was awaited. Await it first: (await …).name.`,
      { fqn: scope.fqn(id) },
    );
  };
  return Object.defineProperties(promise, {
    kind: { value: kind },
    id: { value: id },
    scope: { value: scope },
    fqn: { get: () => scope.fqn(id) },
    toString: { value: inString },
    [Symbol.toPrimitive]: { value: inString },
    toJSON: { value: inString },
    [BRAND]: { value: true },
  }) as PendingResource<Output>;
}

export function isPendingResource(value: unknown): value is PendingResource<unknown> {
  return typeof value === "object" && value !== null && BRAND in value;
}
