import { callSiteOf, callSiteText, EngineError } from "../base/index.js";
import type { Scope } from "./scope.js";

/** A declared resource: a promise of its output that also identifies the resource. */
export interface PendingResource<Output = unknown> extends Promise<Output> {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
  readonly scope: Scope;
}

/** Identifies a declared resource. */
export interface PendingIdentity {
  readonly kind: string;
  readonly id: string;
  readonly scope: Scope;
}

const IDENTITY = Symbol.for("scope-engine/pending");

function identityOf(pending: unknown): PendingIdentity {
  return Reflect.get(Object(pending), IDENTITY);
}

function inString(this: unknown): never {
  const { scope, id } = identityOf(this);
  throw new EngineError(
    "PENDING_IN_STRING",
    `"${scope.fqn(id)}" was put into a string or serialised before it was awaited: ${callSiteText(callSiteOf(inString, 8))}. Await it first: (await …).name.`,
    { fqn: scope.fqn(id) },
  );
}

/** Properties that inspectors and test runners read of any object to identify it. */
const ASKED_OF_ANY =
  /^(?:__|@@|\$\$)|^(?:_isMockFunction|asymmetricMatch|inspect|nodeName|nodeType|ownerDocument|tagName)$/;

/** Prototype of last resort: a property that a pending resource does not have may be one of its output. */
const outputOnly: object = new Proxy(Object.create(Promise.prototype), {
  get: function get(promise, name, pending) {
    const isAsked = typeof name === "symbol" || name in promise || ASKED_OF_ANY.test(name);
    if (isAsked || !isPendingResource(pending)) return Reflect.get(promise, name, pending);
    const { scope, id } = identityOf(pending);
    const fqn = scope.fqn(id);
    throw new EngineError(
      "NOT_AWAITED",
      `"${fqn}" was not awaited, so it has no "${String(name)}" yet: ${callSiteText(callSiteOf(get))}. Await it first: (await …).${String(name)}`,
      { fqn },
    );
  },
});

/**
 * Has the members of promises itself, so that reading them does not reach the proxy. Its `constructor` is Promise's
 * own, so that awaiting a pending resource costs no extra turn.
 */
const pendingPrototype: object = Object.create(outputOnly, {
  ...Object.getOwnPropertyDescriptors(Promise.prototype),
  kind: {
    get: function kind() {
      return identityOf(this).kind;
    },
  },
  id: {
    get: function id() {
      return identityOf(this).id;
    },
  },
  scope: {
    get: function scope() {
      return identityOf(this).scope;
    },
  },
  fqn: {
    get: function fqn() {
      const { scope, id } = identityOf(this);
      return scope.fqn(id);
    },
  },
  toString: { value: inString },
  toJSON: { value: inString },
  [Symbol.toPrimitive]: { value: inString },
});

/** Makes a promise a pending resource. */
export function markPending<Output>(promise: Promise<Output>, identity: PendingIdentity): PendingResource<Output> {
  Reflect.defineProperty(promise, IDENTITY, { value: identity });
  return Object.setPrototypeOf(promise, pendingPrototype);
}

export function isPendingResource(value: unknown): value is PendingResource<unknown> {
  return typeof value === "object" && value !== null && IDENTITY in value;
}
