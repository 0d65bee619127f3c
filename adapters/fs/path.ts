/**
 * Keys as paths, injectively and on every file system. Engine keys look on disk as they are; of any other key
 *
 * - a character outside `A-Z a-z 0-9 . _ - %` becomes `=3A` or `=u65E5`, by UTF-16 units, so that no string is lost;
 *   `%` stays, for the engine's names are percent-encoded already and would outgrow a file name if they were again;
 * - a dot at the beginning or end and the first letter of a name that Windows reserves are written so, too: names with
 *   a leading dot are never ours;
 * - an empty segment is `=empty`, and a long one goes on in a folder below, `beginning=/end`;
 * - a folder never ends in `.json` and a value always does, so "a", "a/b" and "a.json/b" stay apart.
 */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { isAbsence } from "../../core/base/index.js";
import { escapeUnit, unescaped } from "../kit/escape.js";
import { storeFailed } from "./error.js";

const ENDING = ".json";

const EMPTY = "=empty";

/** Ends the name of a folder in which a segment goes on; no escape is a bare `=`. */
const GOES_ON = "=";

/** Characters of a name before its end is dressed: file systems allow 255 bytes. */
const LONGEST = 200;

/** Path of the file that holds the key's value, relative to the root. */
export function fileOf(key: string): string {
  const segments = key.split("/");
  const last = piecesOf(segments.pop() ?? "");
  const file = `${dress(last.pop() ?? "")}${ENDING}`;
  return [...segments.flatMap(foldersOf), ...last.map(unfinished), file].join(sep);
}

/** Folder of the longest part of `prefix` that is whole segments, relative to the root; and that part. */
export function folderOf(prefix: string): { readonly folder: string; readonly start: string } {
  const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const segments = start.split("/").slice(0, -1);
  return { folder: segments.flatMap(foldersOf).join(sep), start };
}

/** What a folder adds to the keys in it; undefined: the folder is not ours. */
export function folderPart(name: string): string | undefined {
  if (name.startsWith(".")) return undefined;
  if (name.endsWith(GOES_ON)) return restore(name.slice(0, -GOES_ON.length));
  return `${restore(name)}/`;
}

/** What a file adds to its folder's part of the key; undefined: the file is not ours. */
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
  return `${dress(piece)}${GOES_ON}`;
}

/** The escaped segment, cut where it is too long for one name. */
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

/** What may not stand at the beginning or end of a name, escaped. */
function dress(piece: string): string {
  if (piece === "") return EMPTY;
  return piece
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)|^\./i, (start) => escapeUnit(start.slice(0, 1)) + start.slice(1))
    .replace(/\.$/, "=2E");
}

function restore(name: string): string {
  return name === EMPTY ? "" : unescaped(name);
}

/** A folder in which something goes away during each of so many looks is not read to its end. */
const ATTEMPTS = 100;

/** The keys below `root` that begin with `prefix`; reads no folder that cannot hold one. */
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
        // A name that the key would not get is somebody else's file, e.g. "notes (copy).json".
        if (key.startsWith(prefix) && fileOf(key) === path) yield key;
      }
    }
  }
}

/**
 * In one call, which the kernel answers as of one moment for some hundred names. On a disk that does not say which of
 * them are folders, Node looks each up; then one that has gone meanwhile is no sign that the folder is not there.
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
