/** For types that are read on every up: unchanged in the program, but is it what it was? */
import { canonical } from "../state/codec.js";
import type { ResourceRecord } from "../state/record.js";
import { handlersOf } from "./call.js";
import { recreate } from "./create.js";
import { look } from "./look.js";
import { replace } from "./replace.js";
import { skip } from "./skip.js";
import { type Compared, place } from "./task.js";
import { updateDrifted } from "./update.js";

export async function verify(compared: Compared, record: ResourceRecord): Promise<unknown> {
  const { app, definition, scope } = compared;
  const found = await look({ ...compared, record, recovering: false });
  if (found === undefined) return recreate(place(compared, record), record);
  const recorded = record.output === undefined ? "" : canonical(record.output);
  if (canonical(app.codec.encode(found)) === recorded) return skip(compared, record);
  if (handlersOf(definition, scope).update) return updateDrifted(place(compared, record), record, found);
  return replace(place(compared, record), record, { deleteFirst: false });
}
