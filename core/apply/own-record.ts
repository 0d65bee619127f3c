/** The record that a declaration goes on from: under its present name, where it can be of its present kind. */

import { isNotWhole, type ResourceRecord } from "../contract/index.js";
import { canLook, encodeOutput, readResource } from "../handler/index.js";
import { applyAlias, findRecorded } from "../records/index.js";
import type { Declaration } from "../run/index.js";
import { formerOfUnmade, giveWay } from "./give-way.js";

type Own = ResourceRecord | undefined;

/** A promise where it is moved, or looked at, before. */
export function ownRecord(declaration: Declaration, props: unknown): Own | Promise<Own> {
  const { record, alias } = findRecorded(declaration);
  if (alias !== undefined) return applyAlias(declaration, alias).then((own) => withKind(declaration, own, props));
  const former = record && formerOfUnmade(declaration, record);
  if (former === undefined) return withKind(declaration, record, props);
  return giveWay(declaration, former).then((own) => withKind(declaration, own, props));
}

/**
 * Gives the record the kind that it is declared with now, where that type can take it over (`movesFrom`); else it keeps its own, and
 * is replaced. Only a declaration with aliases can take a record over.
 */
function withKind(declaration: Declaration, record: Own, props: unknown): Own | Promise<Own> {
  const { definition, ref, options } = declaration;
  if (!record || record.kind === ref.kind || !options.aliases?.length) return record;
  // What is not whole is updated next, which is for the new type to do.
  if (record.status !== "ready" && record.status !== "deleting" && !isNotWhole(record)) return record;
  return definition.movesFrom?.(record.kind) && canLook(declaration) ? move(declaration, record, props) : record;
}

async function move(declaration: Declaration, record: ResourceRecord, props: unknown): Promise<Own> {
  const { app, key, ref } = declaration;
  const { uid } = record;
  const output = await readResource({ ...declaration, props, record, recovering: false });
  app.signal.throwIfAborted();
  if (output === undefined) return record;
  const encoded = await encodeOutput(declaration, uid, output, record.output);
  await app.record([{ op: "patch", uid, set: { kind: ref.kind, output: encoded } }]);
  return app.ledger.read(key);
}
