/**
 * Encodes keys as unique paths for every file system. Keys of the engine are not changed; in any other key
 *
 * - a character outside `A-Z a-z 0-9 . _ - %` becomes `=3A` or `=u65E5`, by UTF-16 units, so that every string can be
 *   restored; `%` stays, because the engine's names are already percent-encoded, and would become too long for a file
 *   name;
 * - a dot at the beginning or end, and the first letter of a name that Windows reserves, are escaped, too: names with
 *   a leading dot are never ours;
 * - an empty segment is `=empty`, and a long one continues in a folder below, `beginning=/end`;
 * - a folder never ends with `.json` and a value always does, so "a", "a/b" and "a.json/b" are distinct.
 */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { isAbsence } from "../../core/base/index.js";
import { escapeUnit, unescaped } from "../kit/escape.js";
import { storeFailed } from "./error.js";

const ENDING = ".json";

const EMPTY = "=empty";

/** Ends the name of a folder in which a segment continues; no escape is a bare `=`. */
const CONTINUES = "=";

/** Maximum of characters in a name before its ends are escaped: file systems allow 255 bytes. */
const LONGEST = 200;

/** Returns the path of the file with the key's value, relative to the root. */
export function fileOf(key: string): string {
  const segments = key.split("/");
  const last = piecesOf(segments.pop() ?? "");
  const file = `${dress(last.pop() ?? "")}${ENDING}`;
  return [...segments.flatMap(foldersOf), ...last.map(unfinished), file].join(sep);
}

/** Returns the longest part of `prefix` that consists of whole segments, and its folder relative to the root. */
export function folderOf(prefix: string): { readonly folder: string; readonly start: string } {
  const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const segments = start.split("/").slice(0, -1);
  return { folder: segments.flatMap(foldersOf).join(sep), start };
}

/** Returns the part of a key for a folder; undefined if the folder is not ours. */
export function folderPart(name: string): string | undefined {
  if (name.startsWith(".")) return undefined;
  if (name.endsWith(CONTINUES)) return restore(name.slice(0, -CONTINUES.length));
  return `${restore(name)}/`;
}

/** Returns the part of a key for a file; undefined if the file is not ours. */
export function filePart(name: string): string | undefined {
  if (name.startsWith(".") || !name.endsWith(ENDING)) return undefined;
  return restore(name.slice(0, -ENDING.length));
}

function foldersOf(segment: string): string[] {
  const pieces = piecesOf(segment);
  const last = dress(pieces.pop() ?? "").replace(/\.(json)$/i, "=2E$1");
  return [...pieces.map(unfinished), last];
}

function unfinished(piece: string): string {
  return `${dress(piece)}${CONTINUES}`;
}

/** Escapes a segment, and splits it if it is too long for one name. */
function piecesOf(segment: string): string[] {
  const escaped = segment.replace(/[^A-Za-z0-9._%-]/g, escapeUnit);
  if (escaped.length <= LONGEST) return [escaped];
  const pieces: string[] = [];
  let piece = "";
  for (const part of escaped.match(/=u[0-9A-F]{4}|=[0-9A-F]{2}|[^=]/g) ?? []) {
    if (piece.length + part.length > LONGEST) {
      pieces.push(piece);
      piece = "";
    }
    piece += part;
  }
  return [...pieces, piece];
}

/** Escapes characters that are not allowed at the beginning or end of a name. */
function dress(piece: string): string {
  if (piece === "") return EMPTY;
  return piece
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)|^\./i, (start) => escapeUnit(start.slice(0, 1)) + start.slice(1))
    .replace(/\.$/, "=2E");
}

function restore(name: string): string {
  return name === EMPTY ? "" : unescaped(name);
}

/** Attempts to read a folder in which files disappear during each attempt. */
const ATTEMPTS = 100;

/** Yields the keys below `root` that begin with `prefix`. Reads only folders that can contain one. */
export async function* listKeys(root: string, prefix: string): AsyncGenerator<string, void> {
  const { folder, start } = folderOf(prefix);
  const waiting = [{ folder, start }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const entry of await readFolder(join(root, next.folder))) {
      const path = join(next.folder, entry.name);
      if (entry.isDirectory()) {
        const below = `${next.start}${folderPart(entry.name) ?? ""}`;
        const leadsOn = below.startsWith(prefix) || prefix.startsWith(below);
        if (below !== next.start && leadsOn) waiting.push({ folder: path, start: below });
      } else if (entry.isFile()) {
        const key = `${next.start}${filePart(entry.name) ?? ""}`;
        // A name that no key is encoded to is a foreign file, e.g. "notes (copy).json".
        if (key.startsWith(prefix) && fileOf(key) === path) yield key;
      }
    }
  }
}

/**
 * Reads a folder in one call, which is consistent for some hundred names. On a disk that does not report which of them
 * are folders, Node looks each up. Then an error may come from a name that has disappeared, not from a missing folder.
 */
async function readFolder(folder: string): Promise<Dirent[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      const isInside = pathIn(error) !== folder;
      if (isAbsence(error) && !isInside) return [];
      if (!isAbsence(error) || attempt === ATTEMPTS) throw storeFailed("list", folder, error);
    }
  }
}

function pathIn(error: unknown): unknown {
  return error instanceof Error && "path" in error ? error.path : undefined;
}
