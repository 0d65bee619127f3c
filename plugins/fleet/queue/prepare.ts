/** Prepares the server of a queue. */
import { connectQueue, queueName } from "./server.js";

/**
 * Makes or updates the tables that BullMQ needs in PostgreSQL. Redis needs none.
 *
 * @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED`
 */
export async function prepareQueue(url: string): Promise<{ readonly created: boolean }> {
  const server = await connectQueue(url);
  try {
    return { created: await server.prepare(queueName("prepare", "", "")) };
  } finally {
    await server.close();
  }
}
