/** Opens the queue of a fleet, and names it. */
import type { QueueServer, QueueSettings } from "../../../adapters/bullmq/queue.js";
import { ignore, nodeCrypto } from "../../../core/base/index.js";
import { maskPassword } from "../parts.js";
import type { FleetRecord } from "../record.js";

/**
 * Returns the name of the queue of a fleet. Each version of its program has a queue of its own, so a worker never gets
 * a job that it has to refuse. Fleets of one name with other states, e.g. of a test environment, have other queues.
 *
 * @param lineage of the record of the fleet
 */
export function queueName(fleet: string, version: string, lineage: string): string {
  const digest = nodeCrypto()
    .createHash("sha256")
    .update(`${fleet}\0${version}\0${lineage}`)
    .digest("hex")
    .slice(0, 16);
  return `${beginOf(fleet)}${digest}`;
}

/** True for a queue of a fleet of this name, whatever its version and its state. */
export function isQueueOf(fleet: string, name: string): boolean {
  const begin = beginOf(fleet);
  return name.startsWith(begin) && /^[0-9a-f]{16}$/.test(name.slice(begin.length));
}

function beginOf(fleet: string): string {
  return `${fleet.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 60)}-`;
}

/** @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED` */
export async function connectQueue(url: string, settings?: QueueSettings): Promise<QueueServer> {
  maskPassword(url);
  const { connect } = await import("../../../adapters/bullmq/queue.js");
  return connect(url, settings);
}

/** Removes the queue of an earlier version, which no conductor uses any more. A worker may still end its jobs. */
export async function removeOthers(server: QueueServer, record: FleetRecord, name: string): Promise<void> {
  const before = record.queue;
  if (before === name) return;
  await record.setQueue(name);
  if (before === undefined) return;
  const old = server.queue(before);
  old.on("error", ignore);
  try {
    await old.obliterate({ force: true });
  } finally {
    await old.close();
  }
}
