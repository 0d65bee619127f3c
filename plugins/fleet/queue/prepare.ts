/** Prepares PostgreSQL for the queue. */
import { EngineError } from "../../../core/base/index.js";

export async function prepareQueue(_url: string): Promise<{ readonly created: boolean }> {
  throw new EngineError("QUEUE_FAILED", "in the next commit");
}
