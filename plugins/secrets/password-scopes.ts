/** What opens the secrets of which scope. */

import { INTERNALS, type Scope } from "../../core/contract/index.js";
import { isSameOpener, type Opener, openerIn } from "./opener.js";

/** The outermost scope that has the password or key that holds here; everything below it shares its data key. */
export interface PasswordScope {
  /** Path of the scope, `/` for the root. */
  readonly path: string;
  readonly fqn: string;
  readonly opener: Opener;
}

/** Asked for each secret of each run. */
const known = new WeakMap<Scope, PasswordScope>();

/** Undefined where there is no password and no key. */
export function passwordScopeOf(scope: Scope | undefined): PasswordScope | undefined {
  if (!scope) return undefined;
  const before = known.get(scope);
  if (before) return before;
  const opener = openerOf(scope);
  const found = opener && findPasswordScope(scope, opener);
  if (found) known.set(scope, found);
  return found;
}

export function openerOf(scope: Scope): Opener | undefined {
  return openerIn(scope[INTERNALS].options);
}

function findPasswordScope(scope: Scope, opener: Opener): PasswordScope {
  let at = scope;
  while (at.parent && isSameOpener(openerOf(at.parent), opener)) at = at.parent;
  return { path: pathOf(at), fqn: at.chain.join("/"), opener };
}

/** Whether a scope is at a path or below it. */
export function isWithin(scope: Scope, path: string): boolean {
  return path === "/" || `${pathOf(scope)}/`.startsWith(`${path}/`);
}

function pathOf({ chain }: Scope): string {
  return `/${chain.slice(2).join("/")}`;
}
