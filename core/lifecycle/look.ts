/** Asks a resource type what is really there. */

import type { ResourceRecord } from "../state/record.js";
import { callHandler } from "./call.js";
import { handlerFailed, interruption } from "./failure.js";
import { type Declaration, decoded, goodProps } from "./task.js";

export interface LookInput extends Omit<Declaration, "key" | "declared"> {
  readonly record: ResourceRecord;
  readonly recovering: boolean;
}

/** The output that `read` gives, or undefined where there is nothing. @throws EngineError `HANDLER_FAILED` */
export async function look(input: LookInput): Promise<unknown> {
  const { app, scope, options, ref, record } = input;
  const previous = decoded(app, goodProps(record));
  const output = decoded(app, record.output);
  const adopt = options.adopt ?? scope.adopt;
  try {
    const end = await callHandler({ ...input, phase: "read", previous, output, adopt, changes: [] });
    return end.signal ? undefined : end.output;
  } catch (error) {
    throw interruption(app, error) ?? handlerFailed("read", ref.fqn, error);
  }
}
