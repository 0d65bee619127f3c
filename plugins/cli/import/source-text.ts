/** Reads the text of a source: a file, an object in S3, or standard input. */
import { existsSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { EngineError, isAbsence } from "../../../core/base/index.js";
import { lineBreaksIn } from "../../import/csv-rows.js";
import { refused } from "../../import/failure.js";
import { storeAt } from "../../state-store/store-at.js";

export interface SourceText {
  /** For messages. */
  readonly place: string;
  /** Undefined for a folder. */
  readonly text?: string;
  /** Versions of providers in the lock file of the old tool next to the source, by source. */
  readonly versions: ReadonlyMap<string, string>;
}

/** Most bytes of a source. A text of Node has at most this size. */
const MOST_BYTES = 500 * 2 ** 20;

interface Reading {
  readonly profile: string | undefined;
  /** True if the source is a list of resources to adopt. */
  readonly isList: boolean;
}

/** @throws EngineError `INVALID_ARGUMENT` if it does not exist */
export async function sourceText(source: string, { profile, isList }: Reading): Promise<SourceText> {
  if (source === "-") {
    return {
      place: "standard input",
      text: decoded(await buffer(process.stdin), "standard input", isList),
      versions: versionsIn(process.cwd()),
    };
  }
  if (/^s3:\/\//i.test(source))
    return { place: placeOf(source), text: await object(source, profile, isList), versions: versionsIn(process.cwd()) };
  try {
    const found = await stat(source);
    if (found.isDirectory()) {
      if (isList) throw refused(source, "is a folder. Name a list of resources in CSV or NDJSON.", { done: "adopted" });
      return { place: source, versions: versionsIn(source) };
    }
    if (found.size > MOST_BYTES) throw refused(source, "is larger than 500 MB.");
    return {
      place: source,
      text: decoded(await wholeFile(source, isList), source, isList),
      versions: versionsIn(dirname(source)),
    };
  } catch (error) {
    if (!isAbsence(error)) throw error;
    throw missing(source, isList);
  }
}

/** Times that a file is read while another program writes it. */
const ATTEMPTS = 5;

/** Milliseconds after which a program that writes a file is done with it. The time of a change is not exact. */
const QUIET = 250;

/** Reads a file that no other program changes meanwhile: half of an old and half of a new state can look whole. */
async function wholeFile(path: string, isList: boolean): Promise<Uint8Array> {
  const look = () => stat(path, { bigint: true });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await look();
    const bytes = await readFile(path);
    if (Math.abs(Date.now() - Number(before.mtimeMs)) < QUIET) await pause(QUIET);
    const after = await look();
    const isSame = (["ino", "size", "mtimeNs", "ctimeNs"] as const).every((name) => before[name] === after[name]);
    if (isSame || !before.isFile()) return bytes;
  }
  const why = "was changed while it was read. Wait until the other program is done, and run the same command again.";
  throw refused(path, why, { done: isList ? "adopted" : "imported" });
}

/**
 * PowerShell on Windows writes the output of a command as UTF-16, with a mark at its beginning. Other bytes would
 * become replacement characters, also in values.
 */
function decoded(bytes: Uint8Array, place: string, isList: boolean): string {
  const done = isList ? "adopted" : "imported";
  if (bytes.length > MOST_BYTES) throw refused(place, "is larger than 500 MB.", { done });
  const format = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    return new TextDecoder(format, { fatal: true }).decode(bytes);
  } catch (cause) {
    const [before = ""] = new TextDecoder(format).decode(bytes).split("\uFFFD");
    const why = `is not UTF-8: line ${lineBreaksIn(before) + 1} has other bytes. Save it as UTF-8.`;
    throw refused(place, why, { cause, done });
  }
}

function missing(source: string, isList: boolean): EngineError {
  const advice = isList
    ? "Name a list of resources in CSV or NDJSON, such as resources.csv, or pipe it: engine adopt -"
    : "Name a terraform.tfstate or s3://BUCKET/KEY, or pipe the state: tofu state pull | engine import -";
  return new EngineError("INVALID_ARGUMENT", `There is no "${source}". ${advice}`);
}

/** A URL without its parameters. */
function placeOf(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

/** The store of the folder of the object has the object as one of its values. */
async function object(url: string, profile: string | undefined, isList: boolean): Promise<string> {
  const [, folder = "", name = "", parameters = ""] = /^(s3:\/\/[^?#]*?)\/([^/?#]+)(\?[^#]*)?$/i.exec(url) ?? [];
  if (name === "") throw missing(placeOf(url), isList);
  const context = {
    appName: "import",
    stage: "import",
    rootDir: process.cwd(),
    env: process.env,
    profile,
    url: undefined,
    keyv: undefined,
    warn: () => {},
  };
  const store = await storeAt(`${folder}${parameters}`, context);
  try {
    const found = await store.get(decodeURIComponent(name));
    if (found === undefined) throw missing(placeOf(url), isList);
    return found;
  } finally {
    await store.close?.();
  }
}

/** Reads `.terraform.lock.hcl`. */
function versionsIn(folder: string): ReadonlyMap<string, string> {
  const file = join(folder, ".terraform.lock.hcl");
  return existsSync(file) ? lockedVersions(readFileSync(file, "utf8")) : new Map();
}

/** Returns the locked versions by source, in OpenTofu's registry. */
function lockedVersions(lock: string): ReadonlyMap<string, string> {
  const found = lock.matchAll(/^provider\s+"([^"\n]+)"\s*\{[^}]*?^\s*version\s*=\s*"([^"\n]+)"/gms);
  return new Map(
    [...found].map(([, source = "", version = ""]) => [
      source.replace(/^registry\.terraform\.io\//, "registry.opentofu.org/"),
      version,
    ]),
  );
}
