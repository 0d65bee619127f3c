/** A create that was interrupted and is no longer wanted: is there anything to delete? */
import { goodProps } from "./task.js";
import { decoded } from "./task.js";
import { callHandler, handlersOf } from "./call.js";
import type { Deletion } from "./delete-one.js";
import { look } from "./look.js";
import type { ResourceRecord } from "../state/record.js";

/** The record of what is there; undefined where there is nothing; `unresolved` where the type cannot tell. */
export async function settleCreate(deletion: Deletion): Promise<ResourceRecord | undefined | "unresolved"> {
  const { app, record, definition, scope, ref } = deletion;
  const handlers = handlersOf(definition, scope);
  const props = decoded(app, goodProps(record));
  const settled = (output: unknown): ResourceRecord => ({ ...record, output: app.codec.encode(output) });
  if (handlers.read) {
    const found = await look({ ...deletion, props, options: {}, recovering: true });
    if (found !== undefined) return settled(found);
    await app.record([{ op: "drop", uid: record.uid }]);
    return undefined;
  }
  if (definition.idempotent) {
    const call = { ...deletion, props, previous: undefined, output: undefined, changes: [], adopt: false };
    const end = await callHandler({ ...call, phase: "create", recovering: true });
    return settled(end.signal ? undefined : end.output);
  }
  app.events.warn(
    "UNRESOLVED",
    `The create of "${ref.fqn}" was interrupted, and "${record.kind}" has no read to tell whether it took effect. The record is kept. Declare it again and let it finish, or look yourself and remove the record with "engine state forget ${ref.fqn}".`,
    ref.fqn,
  );
  return "unresolved";
}
