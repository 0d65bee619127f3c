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
import { sep } from "node:path";
import { escapeUnit, unescaped } from "../kit/escape.js";

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
