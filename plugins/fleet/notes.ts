/** Notes between the processes of a fleet: requests to its conductor, and messages of failed stages. */
import { processName, timeOfDay, uuid } from "../../core/base/index.js";
import { pluginOwner } from "../../core/contract/index.js";
import type { FleetRequest } from "./contract.js";
import { openAt, type RecordOptions } from "./record.js";
import { REQUESTS } from "./reserved.js";

const REQUEST = "request";
const FAILURE = "failure";

/** Owner of the data in the states of stages. */
const OWNER = pluginOwner("fleet");

/** Milliseconds that the second of two notes at once waits for the first. */
const LEAST = 10_000;

/** A request, as it is recorded. */
export interface RecordedRequest {
  readonly id: string;
  /** The fleet run that it is for. */
  readonly run: string;
  readonly request: FleetRequest;
  /** The user and machine that sent it. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The failure of a stage, as it is recorded. */
interface RecordedFailure {
  /** Name of the run in its jobs: its id, and more. */
  readonly run: string;
  readonly message: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Returns the last request to the conductor; undefined if there was none. */
export async function readRequest(fleet: string, options: RecordOptions): Promise<RecordedRequest | undefined> {
  const record = await openAt(fleet, REQUESTS, { ...options, phase: "read" }, "fleet status");
  try {
    return record.entry<RecordedRequest>(REQUEST);
  } finally {
    await record.close();
  }
}

/** Records a request for the conductor of a run, which reads it within seconds. */
export async function sendRequest(
  fleet: string,
  options: RecordOptions,
  { run, request }: Pick<RecordedRequest, "run" | "request">,
): Promise<void> {
  const lockTimeout = waiting(options);
  const record = await openAt(fleet, REQUESTS, { ...options, lockTimeout, lock: "eager" }, `fleet ${request}`);
  const { user, host } = processName();
  const sent: RecordedRequest = { id: uuid(), run, request, by: `${user}@${host}`, at: timeOfDay() };
  try {
    await record.setEntry(REQUEST, sent, "now");
    await record.close();
  } catch (error) {
    await record.close("failed").catch(() => {});
    throw error;
  }
}

/** Records the message of a failed stage in the state of that stage, for the conductor and for people. */
export async function noteFailure(
  fleet: string,
  stage: string,
  options: RecordOptions,
  failure: { readonly run: string; readonly message: string },
): Promise<void> {
  const record = await openAt(
    fleet,
    stage,
    { ...options, lockTimeout: waiting(options), lock: "eager" },
    "fleet failure",
    OWNER,
  );
  try {
    await record.setEntry(FAILURE, { ...failure, at: timeOfDay() }, "now");
  } finally {
    await record.close();
  }
}

/** Returns what {@link noteFailure} recorded last. */
export async function readFailure(
  fleet: string,
  stage: string,
  options: RecordOptions,
): Promise<RecordedFailure | undefined> {
  const record = await openAt(fleet, stage, { ...options, phase: "read" }, "fleet status", OWNER);
  try {
    return record.entry<RecordedFailure>(FAILURE);
  } finally {
    await record.close();
  }
}

function waiting({ lockTimeout = 0 }: RecordOptions): number {
  return Math.max(lockTimeout, LEAST);
}
