import type { Scope } from "../scope/scope.js";

/** A declared resource: a promise of its output that also says which resource it is. */
export interface PendingResource<Output> extends Promise<Output> {
  readonly kind: string;
  readonly id: string;
  readonly fqn: string;
  readonly scope: Scope;
}
