/** For types that are read on every up: unchanged in the program, but is it what it was? */
import { canonical } from "../state/codec.js";
import type { ResourceRecord } from "../state/record.js";
import { handlersOf } from "./call.js";
import { recreate } from "./create.js";
import { look } from "./look.js";
import { replace } from "./replace.js";
import { skip } from "./skip.js";
import type { Task } from "./task.js";
import { updateDrifted } from "./update.js";

export async function verify(task: Task, record: ResourceRecord): Promise<unknown> {
  const { app, definition, scope } = task;
  const found = await look({ ...task, record, recovering: false });
  if (found === undefined) return recreate(task, record);
  const recorded = record.output === undefined ? "" : canonical(record.output);
  if (canonical(app.codec.encode(found)) === recorded) return skip(task, record);
  if (handlersOf(definition, scope).update) return updateDrifted(task, record, found);
  return replace(task, record, false);
}
