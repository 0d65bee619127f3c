/** Invariants of the world and the state; each returns a line for every violation. Pure. */
import type { ResourceRecord } from "../../../../core/contract/index.js";
import { FOUND } from "./programs.ts";
import type { Seen, Thing } from "./seen.ts";

/**
 * Right after a kill: every real object is recorded, or a create of its resource is pending. A failed import records
 * nothing: the next run finds its object by its id.
 */
export function known({ things, records }: Seen): readonly string[] {
  return things
    .filter((thing) => thing.id !== FOUND && !isRecorded(thing, records) && !isPending(thing, records))
    .map(({ name }) => `${name} is there, and neither recorded nor pending`);
}

/** Every record has a real object, except pending ones and those that were already gone. */
export function there({ things, records }: Seen, gone: string | undefined): readonly string[] {
  return records
    .filter(
      ({ key, status, output }) => key !== gone && status === "ready" && !things.some(({ id }) => id === idIn(output)),
    )
    .map(({ key }) => `${key} is recorded, and gone`);
}

/**
 * After a finished run: every expected object exists once, all of them are recorded, and none is pending. A create
 * whose answer was lost may leave a second one, if the run warned of it.
 */
export function settled(seen: Seen, expected: readonly string[], warnings: readonly string[]): readonly string[] {
  const { things, records, isOpen } = seen;
  const own = things.filter((thing) => isRecorded(thing, records));
  const names = own.map(({ name }) => name).sort();
  const unknown = things.filter((thing) => !isRecorded(thing, records) && !isStrange(thing));
  return [
    ...(isOpen ? ["the session is still open"] : []),
    ...(names.join() === [...expected].sort().join() ? [] : [`there are ${names}, and not ${[...expected].sort()}`]),
    ...records.filter(({ status }) => status !== "ready").map(({ key, status }) => `${key} is still ${status}`),
    ...unknown
      .filter((thing) => !isSurfaced(thing, warnings))
      .map(({ name }) => `${name} is nobody's, and nobody is told`),
  ];
}

/** True if a warning says that there may be a second one. */
function isSurfaced({ name }: Thing, warnings: readonly string[]): boolean {
  return warnings.includes(`REPEATED_CREATE app/dev/${resourceOf(name)}`);
}

/** True if no run created or imported it. */
function isStrange({ id, name }: Thing): boolean {
  return id === FOUND && name === `${FOUND}/0`;
}

function isRecorded({ id }: Thing, records: readonly ResourceRecord[]): boolean {
  return records.some(({ output }) => idIn(output) === id);
}

function isPending({ name }: Thing, records: readonly ResourceRecord[]): boolean {
  return records.some(({ key, status }) => key === resourceOf(name) && status === "creating");
}

function resourceOf(name: string): string {
  return name.slice(0, name.indexOf("/"));
}

function idIn(output: unknown): unknown {
  return Object(output).id;
}
