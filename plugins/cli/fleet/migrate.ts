/** `engine fleet migrate`: prepares PostgreSQL for the queue. */
import { EngineError } from "../../../core/base/index.js";
import { textOf } from "../flags.js";
import { print, printJson } from "../output.js";
import type { Given } from "../run-command.js";
import { loadEnv } from "../run-entry.js";
import { queueIn } from "./load-fleet.js";
import { SCHEMA } from "./run-printer.js";

/** @throws EngineError `INVALID_ARGUMENT`, `QUEUE_FAILED`, `PACKAGE_MISSING` */
export async function migrate(given: Given): Promise<void> {
  loadEnv(textOf(given.envFile));
  const queue = queueIn(given);
  if (queue === undefined || !/^postgres(ql)?:/i.test(queue)) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      "Only a queue in PostgreSQL is prepared. Pass --queue postgres://HOST/DATABASE, or set ENGINE_QUEUE.",
    );
  }
  const { prepareQueue } = await import("../../fleet/queue/prepare.js");
  const { created } = await prepareQueue(queue);
  if (given.json === true) return printJson({ v: SCHEMA, created });
  print(created ? "The database is prepared for the queue." : "The database was prepared for the queue before.");
}
