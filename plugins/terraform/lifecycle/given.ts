/** What a program gives with a declaration and is not recorded: arguments that are only written, and what to import. */
import type { HandlerBase, Scope } from "../../../core/contract/index.js";
import type { UndefinedProp } from "../schema/index.js";
import { type OutputSecrets, secretsGiven } from "../sensitive/index.js";

export interface Given {
  /** Props that are never recorded, set apart from the others. */
  readonly writeOnly?: unknown;
  /** Props that the program passes as undefined: as good as left out, and maybe by mistake. */
  readonly undefinedProps?: readonly UndefinedProp[];
  /** The provider's id of what exists already. */
  readonly importId?: string;
  /** A resource that is not there to be imported is created. */
  readonly createIfMissing?: boolean;
  /** A replace makes the new one first. Default: false, as many a name can be taken once only. */
  readonly createBeforeDestroy?: boolean;
}

const NONE: Given = {};
const byScope = new WeakMap<Scope, Map<string, Given>>();

export function remember(scope: Scope, id: string, given: Given): void {
  const known = byScope.get(scope) ?? new Map<string, Given>();
  byScope.set(scope, known);
  known.set(id, given);
}

export function givenFor({ scope, id }: { readonly scope: Scope; readonly id: string }): Given {
  return byScope.get(scope)?.get(id) ?? NONE;
}

/** What is a secret in the output of these props. */
export function secretsFor(context: Pick<HandlerBase, "scope" | "id"> & { readonly props: unknown }): OutputSecrets {
  return secretsGiven(context.props, givenFor(context).writeOnly);
}
