/** Keeps events that could not be sent in time in one small file until a later run sends them. */
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { publishFile } from "../../core/base/index.js";
import type { TelemetryEvent } from "../../core/contract/index.js";

/** The events of one run. */
export interface Batch {
  /** Name of the sink that the events are for. */
  readonly to: string;
  readonly events: readonly TelemetryEvent[];
}

/** Maximum of kept batches; the oldest are dropped first. */
export const MOST_BATCHES = 20;
const MOST_BYTES = 64 * 1024;
const VERSION = 1;
/** Attempts to write the file, because other processes may write theirs in between. */
const MOST_TRIES = 5;

/** Takes the batches that wait for a sink; no other process gets them. Never throws. */
export function takeFromSpool(folder: string, to: string): readonly Batch[] {
  const all = claim(spoolIn(folder));
  keepInSpool(
    folder,
    all.filter((batch) => batch.to !== to),
  );
  return all.filter((batch) => batch.to === to);
}

/** Adds batches to the file. Never throws: batches that cannot be kept are lost. */
export function keepInSpool(folder: string, batches: readonly Batch[]): void {
  if (batches.length === 0) return;
  const file = spoolIn(folder);
  let all = batches;
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      all = [...claim(file), ...all];
      if (publishFile(file, bounded(all), { flush: false })) return;
    }
  } catch {
    // The folder is not writable.
  }
}

/** Path of the file that holds the batches. */
export function spoolIn(folder: string): string {
  return join(folder, "telemetry-spool.json");
}

/** Takes the file by renaming it, which only one process can do. */
function claim(file: string): readonly Batch[] {
  const claimed = `${file}.${randomUUID()}`;
  try {
    renameSync(file, claimed);
  } catch {
    return [];
  }
  try {
    return statSync(claimed).size > MOST_BYTES ? [] : parse(readFileSync(claimed, "utf8"));
  } catch {
    return [];
  } finally {
    rmSync(claimed, { force: true });
  }
}

function bounded(batches: readonly Batch[]): string {
  for (let kept = batches.slice(-MOST_BATCHES); ; kept = kept.slice(1)) {
    const text = JSON.stringify({ version: VERSION, batches: kept });
    if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  }
}

/** @throws if the text does not have the format of {@link bounded} */
function parse(text: string): readonly Batch[] {
  const { version, batches } = JSON.parse(text);
  return version === VERSION ? batches.filter(isBatch) : [];
}

function isBatch(value: unknown): value is Batch {
  const { to, events } = Object(value);
  return typeof to === "string" && Array.isArray(events) && events.length > 0 && events.every(isEvent);
}

function isEvent(value: unknown): value is TelemetryEvent {
  const { name, uuid, timestamp, userId, properties } = Object(value);
  const isNamed = name === "run started" || name === "run finished";
  return isNamed && [uuid, timestamp, userId].every((one) => typeof one === "string") && properties instanceof Object;
}
