/**
 * The contents of a disk after a power loss: everything synced, and as much of the rest as the disk had already
 * written.
 */
import { relative, sep } from "node:path";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import type { DiskOperation } from "./storage-recorder.js";

/** The unit with an order of its own: the bytes of a file, or the names in a folder. */
function thingOf(operation: DiskOperation): string {
  return "folder" in operation ? operation.folder : `${operation.file}`;
}

/** Indexes of the operations that were not synced by then, by unit, oldest first. */
function unsynced(log: readonly DiskOperation[]): Map<string, number[]> {
  const waiting = new Map<string, number[]>();
  for (const [index, operation] of log.entries()) {
    const thing = thingOf(operation);
    if (operation.op === "sync" || operation.op === "sync folder") waiting.delete(thing);
    else waiting.set(thing, [...(waiting.get(thing) ?? []), index]);
  }
  return waiting;
}

/**
 * Sets of operations that a loss at this moment may undo. Each unit may lack its last operations, from any moment on:
 * the same moment for all, for one alone, or for all but one.
 */
export function* losses(log: readonly DiskOperation[]): Generator<ReadonlySet<number>> {
  const waiting = [...unsynced(log).values()];
  const all = waiting.flat().sort((a, b) => a - b);
  yield new Set();
  for (let kept = 0; kept < all.length; kept++) yield new Set(all.slice(kept));
  if (waiting.length < 2) return;
  for (const one of waiting) {
    const others = all.filter((index) => !one.includes(index));
    for (let kept = 0; kept < one.length; kept++) {
      yield new Set(one.slice(kept));
      yield new Set([...others, ...one.slice(kept + 1)]);
    }
  }
}

/** @param torn part of the first missing write that is on the disk anyway: from 0, none of it, to 1 */
export function diskAfter(
  log: readonly DiskOperation[],
  lost: ReadonlySet<number>,
  root: string,
  torn = 0,
): StateStore {
  const bytes = new Map<number, string>();
  const names = new Map<string, number>();
  const cut = new Set<number>();
  for (const [index, operation] of log.entries()) {
    const isLost = lost.has(index);
    if (operation.op === "write") {
      const { file, text } = operation;
      const kept = isLost && !cut.has(file) ? text.slice(0, Math.floor(text.length * torn)) : isLost ? "" : text;
      if (isLost) cut.add(file);
      bytes.set(file, `${bytes.get(file) ?? ""}${kept}`);
    } else if (operation.op === "name" && !isLost) {
      if (operation.file === undefined) names.delete(operation.path);
      else names.set(operation.path, operation.file);
    }
  }
  const store = memoryStore();
  for (const [path, file] of names) {
    const key = relative(root, path).split(sep).join("/");
    if (key.endsWith(".json")) void store.set(key.slice(0, -".json".length), bytes.get(file) ?? "");
  }
  return store;
}
