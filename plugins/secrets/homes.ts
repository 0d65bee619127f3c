/** Which scope's password holds where. */
import type { Scope } from "../../core/scope/scope.js";

/** The outermost scope that has the password that holds here; everything below it shares its data key. */
export interface Home {
  /** Path of the scope, `/` for the root. */
  readonly path: string;
  readonly fqn: string;
  readonly password: string;
}

/** Asked for each secret of each run. */
const known = new WeakMap<Scope, Home>();

/** Undefined where there is no password. */
export function homeOf(scope: Scope | undefined): Home | undefined {
  if (scope?.password === undefined) return undefined;
  const home = known.get(scope) ?? findHome(scope);
  if (home) known.set(scope, home);
  return home;
}

function findHome(scope: Scope): Home | undefined {
  let at = scope;
  while (at.parent && at.parent.password === at.password) at = at.parent;
  const { password, chain } = at;
  return password === undefined ? undefined : { path: pathOf(at), fqn: chain.join("/"), password };
}

/** Whether a scope is at a path or below it. */
export function isWithin(scope: Scope, path: string): boolean {
  return path === "/" || `${pathOf(scope)}/`.startsWith(`${path}/`);
}

function pathOf({ chain }: Scope): string {
  return `/${chain.slice(2).join("/")}`;
}
