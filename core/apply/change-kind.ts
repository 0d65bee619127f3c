/** Gives a record the kind that it is declared with now, where that type can take it over (`movesFrom`). */

import type { ResourceRecord } from "../contract/index.js";
import { canLook, encodeOutput, readResource } from "../handler/index.js";
import type { Declaration } from "../run/index.js";

/** Undefined where the record keeps its kind, and is replaced. Only a declaration with aliases can take a record over. */
export function changeKind(
  declaration: Declaration,
  record: ResourceRecord,
  props: unknown,
): Promise<ResourceRecord | undefined> | undefined {
  const { definition, ref, options } = declaration;
  if (record.kind === ref.kind || record.status !== "ready" || !options.aliases?.length) return undefined;
  return definition.movesFrom?.(record.kind) && canLook(declaration) ? move(declaration, record, props) : undefined;
}

async function move(
  declaration: Declaration,
  record: ResourceRecord,
  props: unknown,
): Promise<ResourceRecord | undefined> {
  const { app, key, ref } = declaration;
  const { uid } = record;
  const output = await readResource({ ...declaration, props, record, recovering: false });
  app.signal.throwIfAborted();
  if (output === undefined) return record;
  const encoded = await encodeOutput(declaration, uid, output, record.output);
  await app.record([{ op: "patch", uid, set: { kind: ref.kind, output: encoded } }]);
  return app.ledger.read(key);
}
