/** For types that are read on every up: is what they are to change or to leave alone still there, and as it was? */
import { canonical } from "../state/codec.js";
import type { ResourceRecord } from "../state/record.js";
import { handlersOf } from "./call.js";
import { recreate } from "./create.js";
import type { Decision } from "./decide.js";
import { look } from "./look.js";
import { replace } from "./replace.js";
import { skip } from "./skip.js";
import { type Compared, place } from "./task.js";
import { updateSeen } from "./update.js";
import { decodeProps, encodeOutput } from "./values.js";

export async function verify(
  compared: Compared,
  record: ResourceRecord,
  decision: Extract<Decision, { action: "skip" | "update" }>,
): Promise<unknown> {
  const { definition, scope } = compared;
  const recovering = decision.action === "update" && decision.recovering;
  // Not recovering: that is said of interrupted creates, whose thing is only looked for.
  const props = await decodeProps(compared, record.uid, compared.encoded);
  const found = await look({ ...compared, props, record, recovering: false });
  if (found === undefined) return recreate(place(compared, record), record);
  if (decision.action === "skip") {
    const recorded = record.output === undefined ? "" : canonical(record.output);
    if (canonical(await encodeOutput(compared, record.uid, found, record.output)) === recorded)
      return skip(compared, record);
  }
  const task = place(compared, record);
  if (handlersOf(definition, scope).update) return updateSeen(task, record, found, recovering);
  return replace(task, record, { deleteFirst: false });
}
