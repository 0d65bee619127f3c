/** An alias that was added only after a create under the new name had failed: the resource under the earlier name takes its place. */

import { forgetCommand, fqnIn, type ResourceRecord } from "../contract/index.js";
import { canLook, decodeProps, goodProps, isElsewhere, isSimulated, readInterrupted } from "../handler/index.js";
import { type Operation, stillDeclared } from "../run/index.js";
import type { Contents } from "../state/index.js";
import { applyAlias } from "./apply-alias.js";
import { recordedBefore } from "./find-recorded.js";

interface LateAlias {
  /** What is recorded under the present name. */
  readonly unmade: ResourceRecord;
  readonly alias: string;
}

/**
 * Set where a resource is recorded under an earlier name as well, and under its own with nothing but creates that were interrupted or
 * have failed.
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

/** Where it has resolved before, it was renamed in an earlier run: another resource may have the earlier name by now. */
function hasLeftNothing(contents: Contents, record: ResourceRecord): boolean {
  const { key, uid, output, done, replaces, replaced } = record;
  if (output !== undefined || done !== undefined || replaces !== undefined || replaced) return false;
  return contents.copiesOf(key).length === 1 && contents.childrenOf(uid).length === 0;
}

function formerName(operation: Operation): string | undefined {
  const former = recordedBefore(operation, (name) => operation.app.ledger.read(name));
  return former?.record.output === undefined ? undefined : former.alias;
}

/** Gives the record to go on from. What its type finds of the interrupted create stays, and so does the earlier name. */
export async function takeOver(
  operation: Operation,
  { unmade, alias }: LateAlias,
): Promise<ResourceRecord | undefined> {
  const { app, key } = operation;
  const props = await decodeProps(operation, unmade.uid, goodProps(unmade));
  // Read as undeclared: the type must not reserve for this record what the one under the earlier name has.
  const found = await readInterrupted(operation, { props, record: unmade, isDeclared: false });
  app.signal.throwIfAborted();
  if (!found || found.output !== undefined) return app.ledger.read(key);
  if (app.run.isDeclared(alias)) throw stillDeclared(app, alias, key);
  return applyAlias(operation, alias, unmade);
}

/** A hint for a create that has failed once more, of a type without `read`: what the first attempt has made is not known. */
export function aliasHint(operation: Operation, record: ResourceRecord): string {
  const alias = record.done === undefined && !canLook(operation) ? formerName(operation) : undefined;
  if (alias === undefined) return "";
  const { app, ref } = operation;
  return `What is recorded of "${fqnIn(app.root, alias)}" was not taken over, for "${ref.kind}" has no read to tell what an earlier create of "${ref.fqn}" has made. If that is nothing, run ${forgetCommand(ref.fqn, record, operation.options)}, then up.`;
}
