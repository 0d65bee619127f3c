/** Unpacked providers of this user, for all projects: each is put in place in one step, with a record of what it was then. */
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  cacheFolder,
  type Environment,
  hasCode,
  isAbsence,
  makeOwnFolder,
  replaceFile,
  whenFree,
} from "../../../core/base/index.js";
import { contentHash, filesIn } from "./content-hash.js";
import { missing } from "./failure.js";
import type { ProviderAddress } from "./source.js";
import { type Target, targetText } from "./target.js";

/** What was unpacked. */
export interface CacheRecord {
  /** `h1:` of the files. */
  readonly content: string;
  /** `zh:` of the archive that they came from; a mirror may have none. */
  readonly archive?: string;
  /** By names: sizes and times. While these are the same, so are the files, and are not read whole each time. */
  readonly stamps: Readonly<Record<string, string>>;
}

export interface CachedProvider {
  /** The files. */
  readonly folder: string;
  readonly record: CacheRecord;
}

const [FILES, RECORD] = ["files", "record.json"];

/** @throws EngineError `PROVIDER_MISSING` where nothing says where the user's own files are */
export function providersFolder(env: Environment): string {
  const folder = cacheFolder(env);
  if (folder === undefined) {
    throw missing("There is no place for providers: HOME is not set. Set XDG_CACHE_HOME to a folder.");
  }
  return join(folder, "providers");
}

export function entryFolder(root: string, address: ProviderAddress, version: string, target: Target): string {
  // What no name of a folder may hold stands in no name of a host.
  const host = address.host.replace(/[[\]:]/g, "_");
  return join(root, host, address.namespace, address.type, version, targetText(target));
}

/**
 * What is there, if it still is what was put there.
 *
 * @param every whether all files are read, whatever their times are
 */
export async function lookUp(entry: string, every = false): Promise<CachedProvider | "damaged" | undefined> {
  const record = await recordIn(entry);
  if (record === undefined || record === "damaged") return record;
  const folder = join(entry, FILES);
  const stamps = await stampsIn(folder).catch(() => ({}));
  const isSame = JSON.stringify(stamps) === JSON.stringify(record.stamps);
  if (isSame && !every) return { folder, record };
  const content = await contentHash(folder).catch(() => undefined);
  if (content !== record.content) return "damaged";
  const now = { ...record, stamps };
  // The next one need not read them; where this cannot be written, it does.
  if (!isSame) await writeFile(join(entry, RECORD), JSON.stringify(now)).catch(() => {});
  return { folder, record: now };
}

async function recordIn(entry: string): Promise<CacheRecord | "damaged" | undefined> {
  try {
    const { content, archive, stamps } = Object(JSON.parse(await readFile(join(entry, RECORD), "utf8")));
    if (typeof content !== "string" || typeof stamps !== "object") return "damaged";
    return { content, ...(typeof archive === "string" ? { archive } : {}), stamps };
  } catch (error) {
    if (!isAbsence(error)) return "damaged";
    return (await stat(entry).catch(() => undefined)) ? "damaged" : undefined;
  }
}

async function stampsIn(folder: string): Promise<Record<string, string>> {
  const stamps: Record<string, string> = {};
  for (const name of await filesIn(folder)) {
    const { size, mtimeNs, ctimeNs } = await stat(join(folder, name), { bigint: true });
    stamps[name] = `${size} ${mtimeNs} ${ctimeNs}`;
  }
  return stamps;
}

/** Puts what was unpacked in place. Of several processes the first one does. @param staged a folder with the files in it */
export async function publish(
  entry: string,
  staged: string,
  hashes: Omit<CacheRecord, "stamps">,
): Promise<CachedProvider> {
  const folder = join(staged, FILES);
  replaceFile(join(staged, RECORD), JSON.stringify({ ...hashes, stamps: await stampsIn(folder) }));
  makeOwnFolder(dirname(entry));
  for (let isSecond = false; ; isSecond = true) {
    try {
      await whenFree(() => rename(staged, entry));
    } catch (error) {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "EPERM")) throw error;
    }
    const found = await lookUp(entry);
    if (typeof found === "object" && found.record.content === hashes.content) return found;
    if (isSecond) throw missing(`${entry} cannot be replaced: remove it, and try again.`);
    // What is damaged, or another one, makes room. Who runs it meanwhile keeps what is open.
    await rm(entry, { recursive: true, force: true });
  }
}

export async function filesFolder(staged: string): Promise<string> {
  const folder = join(staged, FILES);
  await mkdir(folder, { mode: 0o700, recursive: true });
  return folder;
}
