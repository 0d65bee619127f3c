/** Finds the record of a declaration, under its own name or an earlier one. */

import { EngineError } from "../base/index.js";
import {
  forgetCommand,
  formerKeysIn,
  fqnIn,
  INTERNALS,
  keyIn,
  type ResourceRecord,
  type Scope,
} from "../contract/index.js";
import { canLook, decodeProps, goodProps, isElsewhere, isSimulated, readInterrupted } from "../handler/index.js";
import { type App, type Operation, stillDeclared } from "../run/index.js";
import type { Contents } from "../state/index.js";
import { applyAlias } from "./apply-alias.js";

export interface FoundRecord {
  readonly record: ResourceRecord | undefined;
  /** The earlier name of the record. */
  readonly alias?: string;
}

/**
 * Finds the record of a declaration, under its own name or an earlier one. Changes nothing.
 *
 * @throws EngineError `ALIAS_CONFLICT`; `INVALID_OPTION` for a name in another app or stage
 */
export function findRecorded(operation: Operation): FoundRecord {
  const { app, key } = operation;
  const oldHome = oldHomeOf(operation);
  if (oldHome !== undefined) return { record: oldPart(operation, oldHome, key) };
  const { listed, all: keys } = formerKeysOf(operation);
  if (keys.length === 0) return { record: app.ledger.read(key) };
  app.run.aliases.claim(app, operation.scope, key, listed);
  const found = recordedIn(operation, (name) => app.ledger.read(name));
  // With a record under its own name, it was renamed in an earlier run: another resource may have the earlier name now.
  const isNamed = found.record !== undefined && found.alias === undefined;
  const declared = isNamed ? undefined : keys.find((alias) => app.run.isDeclared(alias));
  if (declared !== undefined) throw stillDeclared(app, declared, key);
  return found;
}

/** Finds a record by the name of a declaration, then by its earlier names. */
export function recordedIn(operation: Operation, at: (key: string) => ResourceRecord | undefined): FoundRecord {
  const record = at(operation.key);
  if (record) return { record };
  return recordedBefore(operation, at) ?? { record };
}

type Named = Pick<Operation, "scope" | "ref" | "options">;

/** Finds a record only by the earlier names of a declaration. */
function recordedBefore(
  operation: Named,
  at: (key: string) => ResourceRecord | undefined,
): { readonly record: ResourceRecord; readonly alias: string } | undefined {
  for (const alias of formerKeysOf(operation).all) {
    const record = at(alias);
    if (record) return { record, alias };
  }
  return undefined;
}

const NONE: readonly string[] = Object.freeze([]);

interface FormerKeys {
  /** The names that the declaration lists. */
  readonly listed: readonly string[];
  /** These, and the names that they and the present id had under the scope's earlier paths, in the order of lookup. */
  readonly all: readonly string[];
}

const NO_KEYS: FormerKeys = Object.freeze({ listed: NONE, all: NONE });

/** @throws EngineError `INVALID_OPTION` for a name in another app or stage */
function formerKeysOf({ scope, ref: { id }, options: { aliases = NONE } }: Named): FormerKeys {
  const hasMoved = scope[INTERNALS].formerPaths.length > 0;
  if (!hasMoved && aliases.length === 0) return NO_KEYS;
  const listed = aliases.map((alias) => keyOf(scope, alias));
  if (!hasMoved) return { listed, all: listed };
  const ids = aliases.filter((alias) => !alias.includes("/"));
  const before = ids.flatMap((alias) => formerKeysIn(scope, alias));
  return { listed, all: [...new Set([...formerKeysIn(scope, id), ...listed, ...before])] };
}

/** @throws EngineError `INVALID_OPTION` for a name in another app or stage */
function keyOf(scope: Scope, alias: string): string {
  if (!alias.includes("/")) return keyIn(scope, alias);
  const { root } = scope;
  const stage = `${root.chain.join("/")}/`;
  if (alias.startsWith(stage) && alias.length > stage.length) return alias.slice(stage.length);
  throw new EngineError(
    "INVALID_OPTION",
    `The alias "${alias}" is neither an id nor an FQN in "${root.chain.join("/")}". Pass an id of the same scope, or the value of scope.fqn("id").`,
  );
}

interface Part {
  readonly app: App;
  readonly scope: Scope;
}

/**
 * Returns the uid of the old copy in whose handler a resource is declared: that handler is called to settle its
 * interrupted create, and its children are deleted with it. Undefined for all others.
 */
export function oldHomeOf({ app, scope }: Part): string | undefined {
  const { resource } = scope[INTERNALS];
  return resource && app.ledger.contents.records.get(resource.uid)?.replaced ? resource.uid : undefined;
}

/** Finds the record of an old copy's child, not of the child of its replacement. */
function oldPart({ app }: Part, home: string, key: string): ResourceRecord | undefined {
  return app.ledger.contents.copiesOf(key).find(({ parent }) => parent === home);
}

// An alias that was added only after a create under the new name had failed: the resource under the earlier name
// replaces it.

interface LateAlias {
  /** The record under the present name. */
  readonly unmade: ResourceRecord;
  readonly alias: string;
}

/**
 * Returns a late alias: a resource also has a record under an earlier name, and under its own only creates that were
 * interrupted or have failed.
 *
 * @throws EngineError `ALIAS_CONFLICT`
 */
export function lateAliasOf(operation: Operation, unmade: ResourceRecord): LateAlias | undefined {
  const { app, definition, scope, ref } = operation;
  if (unmade.status !== "creating" || !hasLeftNothing(app.ledger.contents, unmade)) return undefined;
  if (unmade.kind !== ref.kind || isElsewhere(unmade, isSimulated(definition, scope))) return undefined;
  if (!canLook(operation)) return undefined;
  const alias = formerName(operation);
  if (alias !== undefined && app.run.isDeclared(alias)) throw stillDeclared(app, alias, operation.key);
  return alias === undefined ? undefined : { unmade, alias };
}

/**
 * Returns the record to continue from. If the type finds a resource of the interrupted create, that resource and the
 * earlier name stay.
 */
export async function takeOver(
  operation: Operation,
  { unmade, alias }: LateAlias,
): Promise<ResourceRecord | undefined> {
  const { app, key } = operation;
  const props = await decodeProps(operation, unmade.uid, goodProps(unmade));
  // Read as undeclared: the type must not reserve for this record the resource that belongs to the earlier name.
  const found = await readInterrupted(operation, { props, record: unmade, isDeclared: false });
  app.signal.throwIfAborted();
  if (!found || found.output !== undefined) return app.ledger.read(key);
  if (app.run.isDeclared(alias)) throw stillDeclared(app, alias, key);
  return applyAlias(operation, alias, unmade);
}

/**
 * Returns a hint for a create that has failed once more, of a type without `read`: the result of the first attempt is
 * unknown.
 */
export function aliasHint(operation: Operation, record: ResourceRecord): string {
  const alias = record.done === undefined && !canLook(operation) ? formerName(operation) : undefined;
  if (alias === undefined) return "";
  const { app, ref } = operation;
  return `The record of "${fqnIn(app.root, alias)}" was not taken over, because "${ref.kind}" has no read handler that could tell what an earlier create of "${ref.fqn}" made. Look for the real resource and delete it if it exists. Then run ${forgetCommand(ref.fqn, record, operation.options)}, then "engine up".`;
}

/**
 * False if it has resolved before: it was renamed in an earlier run, and another resource may have the earlier name
 * now.
 */
function hasLeftNothing(contents: Contents, record: ResourceRecord): boolean {
  const { key, uid, output, done, replaces, replaced } = record;
  if (output !== undefined || done !== undefined || replaces !== undefined || replaced) return false;
  return contents.copiesOf(key).length === 1 && contents.childrenOf(uid).length === 0;
}

function formerName(operation: Operation): string | undefined {
  const former = recordedBefore(operation, (name) => operation.app.ledger.read(name));
  return former?.record.output === undefined ? undefined : former.alias;
}
