/** Keys derived from passwords, kept for a limited time in files of the user: only with consent, and never in CI. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  EngineError,
  type Environment,
  HOUR,
  hasCode,
  identity,
  isAbsence,
  machineFolder,
  messageOf,
  platform,
  timeOfDay,
} from "../../core/base/index.js";
import { milliseconds } from "../internal/flags/flag.js";
import { decrypt, encrypt, expand, extract, fromBase64, KEY_BYTES, sha256, toBase64 } from "./envelope.js";
import { normalized, type Scrypt } from "./password.js";

/** Returns the keys that the user's variables allow to keep; undefined if they allow none. */
export function keptKeysFor(env: Environment, warn: Warn): KeptKeys | undefined {
  const { CI, ENGINE_PASSWORD_CACHE: text } = env;
  const folder = CI ? undefined : folderIn(env);
  if (folder === undefined) return undefined;
  const lasts = text ? lifetimeIn(text) : undefined;
  if (lasts) return new KeptKeys(folder, lasts, warn);
  sweep(folder, (path) => lasts !== 0 && isInTime(path));
  return undefined;
}

/** Removes all kept keys of the user. */
export function forgetKeptKeys(env: Environment): void {
  const folder = folderIn(env);
  if (folder !== undefined) sweep(folder, () => false);
}

function folderIn(env: Environment): string | undefined {
  const folder = machineFolder(env);
  return folder === undefined ? undefined : join(folder, "passwords");
}

const LONGEST = 12 * HOUR;

/** @throws EngineError `INVALID_OPTION` */
function lifetimeIn(text: string): number {
  try {
    const lasts = milliseconds(text, "");
    if (lasts <= LONGEST) return lasts;
  } catch {
    // The error below names the variable.
  }
  const message = `ENGINE_PASSWORD_CACHE is ${JSON.stringify(text)}. Set it to a duration of at most 12 hours, such as 15m or 8h, or to 0 to remove all kept keys.`;
  throw new EngineError("INVALID_OPTION", message);
}

/**
 * Cost of scrypt for the key of a file. A copy of the file is a way to guess the password, so this is as slow as an
 * unchanged run can afford: a sixteenth of the default cost of a stage.
 */
const FILE_COST = 2 ** 13;

const [R, P] = [8, 1];

const SALT_BYTES = 16;

/** The content of a file. The stages and their apps are not named. */
interface Kept {
  readonly format: 1;
  /** Time of day in ISO 8601 format. */
  readonly made: string;
  /** Milliseconds. */
  readonly lasts: number;
  /** Base64. */
  readonly salt: string;
  /** The derived key in base64, encrypted with the password. */
  readonly sealed: string;
}

type Warn = (code: string, message: string) => void;

/**
 * Each file has the key of one password and salt. It is encrypted with a cheaper derivation from the same password, so
 * another password finds nothing, and a file alone opens nothing.
 */
export class KeptKeys {
  readonly #folder: string;
  readonly #lasts: number;
  readonly #warn: Warn;
  /** Paths whose keys are in their files. */
  readonly #kept = new Set<string>();

  /** @param lasts milliseconds */
  constructor(folder: string, lasts: number, warn: Warn) {
    this.#folder = folder;
    this.#lasts = lasts;
    this.#warn = warn;
  }

  /** Returns undefined if no usable file has the key of this password. */
  async find(password: string, derivation: Scrypt): Promise<Buffer | undefined> {
    if (!isWorthIt(derivation)) return undefined;
    const path = this.#pathOf(derivation);
    const kept = readKept(path, (why) => this.#refuse(path, why));
    if (!kept) return undefined;
    if (!isWithin(kept, this.#lasts)) {
      remove(path);
      return undefined;
    }
    const key = await fileKey(password, derivation, kept);
    const found = decrypt(key, fromBase64(kept.sealed) ?? NOTHING, boundTo(derivation, kept));
    if (found) this.#kept.add(path);
    return found;
  }

  /** Keeps the key of a password that has proved to be right: a mistyped one may open something else. */
  async keep(password: string, derivation: Scrypt, key: Uint8Array): Promise<void> {
    const path = this.#pathOf(derivation);
    if (!isWorthIt(derivation) || this.#kept.has(path)) return;
    this.#kept.add(path);
    const salt = toBase64(platform().randomBytes(SALT_BYTES));
    const head = { format: 1, made: timeOfDay(), lasts: this.#lasts, salt } as const;
    try {
      const sealed = encrypt(await fileKey(password, derivation, head), key, boundTo(derivation, head));
      const kept: Kept = { ...head, sealed: toBase64(sealed) };
      platform().files.writeNow(path, `${JSON.stringify(kept, null, 1)}\n`);
    } catch {
      // Then each run derives the key.
    }
    sweep(this.#folder, isInTime);
  }

  /** Machines that share a home folder have files of their own. */
  #pathOf(derivation: Scrypt): string {
    const digest = sha256(Buffer.from(JSON.stringify([bootId(), derivation])));
    return join(this.#folder, `${digest.toString("hex").slice(0, 40)}.json`);
  }

  #refuse(path: string, why: string): void {
    this.#warn(
      "PASSWORD_CACHE",
      `The kept key in "${path}" was not used, because the file ${why}. The run derived the key from the password again, and replaces the file. If you do not know the reason, find out who can write to the folder.`,
    );
  }
}

const NOTHING = Buffer.alloc(0);

/** Names of the files, also of those that a killed process did not finish. */
const OWN_NAME = /^[0-9a-f]{40}\.json(\.[0-9a-f-]{36}\.tmp)?$/;

function sweep(folder: string, stays: (path: string) => boolean): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (OWN_NAME.test(name) && !stays(path)) remove(path);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No key was ever kept.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It has no effect on a run.
  }
}

/** Another run may be about to rename an unfinished file, so this reads its content like any other. */
function isInTime(path: string): boolean {
  const kept = readKept(path, () => {});
  return kept !== undefined && isWithin(kept, kept.lasts);
}

/** A clock that was set back ends the time, too. */
function isWithin({ made, lasts }: Kept, allowed: number): boolean {
  const age = Date.parse(timeOfDay()) - Date.parse(made);
  return age >= 0 && age < Math.min(lasts, allowed);
}

/**
 * Returns undefined if the file is missing, unusable or refused.
 *
 * @param refuse called if other users may have read or written the file
 */
export function readKept(path: string, refuse: (why: string) => void, user = process.geteuid?.()): Kept | undefined {
  const text = ownText(path, refuse, user);
  if (text === undefined) return undefined;
  try {
    const { format, made, lasts, salt, sealed } = Object(JSON.parse(text));
    const isSound = format === 1 && Number.isFinite(Date.parse(made)) && Number.isSafeInteger(lasts);
    return isSound && typeof salt === "string" && typeof sealed === "string"
      ? { format, made, lasts, salt, sealed }
      : undefined;
  } catch {
    return undefined; // The file is damaged.
  }
}

/** Larger than any file of this version. */
const MOST_BYTES = 4_096;

/** Opening a pipe would wait for a writer. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function ownText(path: string, refuse: (why: string) => void, user: number | undefined): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, FLAGS);
    const why = problemWith(file, user);
    if (why === undefined) return readFileSync(file, "utf8");
    refuse(why);
  } catch (error) {
    if (hasCode(error, "ELOOP")) refuse("is a symbolic link");
    else if (!isAbsence(error)) refuse(`cannot be read (${messageOf(error)})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return undefined;
}

function problemWith(file: number, user: number | undefined): string | undefined {
  const found = fstatSync(file);
  if (!found.isFile()) return "is not a regular file";
  if (found.size > MOST_BYTES) return "is too large";
  if (found.nlink > 1) return "has several names (hard links)";
  // Windows has no such modes: the folder belongs to the user.
  if (user === undefined) return undefined;
  if (found.uid !== user) return "belongs to another user";
  const mode = found.mode & 0o777;
  return mode & 0o077 ? `can be read or written by other users (mode ${mode.toString(8)})` : undefined;
}

/** Where the recorded cost is as low, the file saves nothing. */
function isWorthIt({ n, r, p }: Scrypt): boolean {
  return n * r * p > FILE_COST * R * P;
}

type Head = Omit<Kept, "sealed">;

/**
 * The salt contains the boot id, which is not in the home folder: a backup of the folder is no way to guess the
 * password, and a restart ends the time of all keys.
 */
async function fileKey(password: string, derivation: Scrypt, { salt }: Head): Promise<Buffer> {
  const own = sha256(Buffer.from(JSON.stringify(["scope-engine kept key", 1, salt, bootId(), derivation])));
  const cost = { N: FILE_COST, r: R, p: P, maxmem: 2 * 128 * FILE_COST * R * P };
  const made = await platform().scrypt(normalized(password), own, KEY_BYTES, cost);
  return expand(extract(made), "kept key");
}

/** Null on Windows, which has none. */
function bootId(): string | null {
  return identity().boot ?? null;
}

function boundTo(derivation: Scrypt, { format, made, lasts, salt }: Head): Buffer {
  return Buffer.from(JSON.stringify(["scope-engine kept key", format, made, lasts, salt, derivation]));
}
