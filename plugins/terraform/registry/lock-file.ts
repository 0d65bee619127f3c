/** `engine.lock.json`: the version of each provider that a program uses, with its hashes. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isAbsence, jsonFaultPlace, messageOf, uuid, whenFreeNow } from "../../../core/base/index.js";
import { missing, unverified } from "./failure.js";
import { isVersion } from "./range.js";

export const LOCK_FILE = "engine.lock.json";

/**
 * Entry of a provider. A provider that is a local file or folder has the version `0.0.0` and no hashes, because it is
 * rebuilt all the time.
 */
export interface LockedProvider {
  /** Allowed versions of an update. */
  readonly range: string;
  readonly version: string;
  /** E.g. `5.0`; empty if unknown. */
  readonly protocols: readonly string[];
  /** Id of the key that signed the checksums. */
  readonly signedBy?: string;
  /** Folder used instead of the registry, relative to the folder of the lock file. */
  readonly mirror?: string;
  /** `zh:` of the archives for all systems, `h1:` of the unpacked files. */
  readonly hashes: readonly string[];
}

/** Entries by `host/namespace/type`, or by the path from the folder of the lock file. */
export type Lock = Readonly<Record<string, LockedProvider>>;

const HASH = /^(?:zh:[0-9a-f]{64}|h1:[A-Za-z0-9+/]{43}=)$/;

/** Reads the lock file; empty if there is none. @throws EngineError `PROVIDER_UNVERIFIED` if it is invalid */
export function readLock(file: string): Lock {
  const text = textOf(file);
  if (text === undefined) return {};
  const nonsense = (why: string): Error =>
    unverified(
      `${file} ${why}. Restore the file from version control, or remove the wrong entry and run "engine add" for the provider.`,
    );
  const value = parsed(text);
  if (value === undefined) throw nonsense(`is not valid JSON: see ${jsonFaultPlace(text)}`);
  const { providers } = Object(value);
  if (!isObject(providers)) throw nonsense('has no object "providers"');
  return Object.fromEntries(
    Object.entries(providers).map(([name, one]) => {
      const wrong = problemOf(one);
      if (wrong !== undefined || !isLocked(one)) throw nonsense(`has an invalid entry "${name}": ${wrong}`);
      return [name, one];
    }),
  );
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw missing(`${file} cannot be read: ${messageOf(error)}.`, error);
  }
}

function isLocked(value: unknown): value is LockedProvider {
  return problemOf(value) === undefined;
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  const { range, version, protocols, signedBy, mirror, hashes } = value;
  if (typeof version !== "string" || !isVersion(version)) return `its version is invalid: ${JSON.stringify(version)}`;
  if (typeof range !== "string") return `its range is not a string: ${JSON.stringify(range)}`;
  if (!isTexts(protocols)) return `its protocols are not a list of strings: ${JSON.stringify(protocols)}`;
  if (signedBy !== undefined && typeof signedBy !== "string")
    return `its signedBy is not a string: ${JSON.stringify(signedBy)}`;
  if (mirror !== undefined && typeof mirror !== "string")
    return `its mirror is not a string: ${JSON.stringify(mirror)}`;
  if (!isTexts(hashes)) return `its hashes are not a list of strings: ${JSON.stringify(hashes)}`;
  const hash = hashes.find((one) => !HASH.test(one));
  return hash === undefined ? undefined : `one of its hashes is invalid: ${JSON.stringify(hash)}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the sorted text of a lock file, with a line for each hash, so that version control can merge entries. */
export function lockText(lock: Lock): string {
  const providers = Object.fromEntries(sorted(Object.keys(lock)).map((name) => [name, ordered(lock[name])]));
  return `${JSON.stringify({ providers }, undefined, 2)}\n`;
}

function ordered(one: LockedProvider | undefined): object {
  const { range, version, protocols = [], signedBy, mirror, hashes = [] } = one ?? {};
  return { range, version, protocols: sorted(protocols), signedBy, mirror, hashes: sorted([...new Set(hashes)]) };
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Writes an entry. Reads the file again first, because another command may have changed it. */
export function writeLocked(file: string, name: string, provider: LockedProvider): void {
  writeProjectFile(file, lockText({ ...readLock(file), [name]: provider }));
}

/** Replaces a file in one step, and creates its folder. @throws errors of the file system */
export function writeProjectFile(path: string, text: string): void {
  const temporary = `${path}.${uuid()}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(temporary, text, { flag: "wx", flush: true });
    whenFreeNow(() => renameSync(temporary, path));
  } finally {
    rmSync(temporary, { force: true });
  }
}
