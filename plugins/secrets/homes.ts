/** Which scope's password holds where. */
import type { Scope } from "../../core/scope/scope.js";

/** The outermost scope that has the password that holds here; everything below it shares its data key. */
export interface Home {
  /** Path of the scope, `/` for the root. */
  readonly path: string;
  readonly fqn: string;
  readonly password: string;
}

/** Undefined where there is no password. */
export function homeOf(scope: Scope | undefined): Home | undefined {
  let at = scope;
  if (at?.password === undefined) return undefined;
  while (at.parent && at.parent.password === at.password) at = at.parent;
  const { password, chain } = at;
  return password === undefined ? undefined : { path: pathOf(at), fqn: chain.join("/"), password };
}

export function pathOf({ chain }: Scope): string {
  return `/${chain.slice(2).join("/")}`;
}
