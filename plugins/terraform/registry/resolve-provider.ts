/** Finds the program of a locked provider for a run. Needs no network if it is in the cache. */

import { dirname, resolve } from "node:path";
import { type Environment, messageOf } from "../../../core/base/index.js";
import type { ProviderClient } from "../protocol/index.js";
import { launchProvider } from "../protocol/index.js";
import type { ProviderSchema } from "../schema/index.js";
import { type CachedProvider, entryFolder, lookUp, providersFolder } from "./cache.js";
import { missing } from "./failure.js";
import { type LockedProvider, readLock, writeLocked } from "./lock-file.js";
import type { Obtaining } from "./obtain.js";
import { addressText, type ProviderAddress, parseSource, thisTarget } from "./source.js";
import { executableAt, executableIn } from "./unpack.js";

export interface Resolving extends Omit<Obtaining, "root"> {
  /** Default: the cache of the user. */
  readonly root?: string;
  readonly env?: Environment;
}

/**
 * Returns the path of the program. Downloads it if it is not in the cache yet.
 *
 * @param source as in the lock file
 * @throws EngineError `PROVIDER_MISSING` if it is not in the lock file, or cannot be obtained; `PROVIDER_UNVERIFIED` if
 * it differs from the lock file
 */
export async function resolveProvider(lockFile: string, source: string, resolving: Resolving = {}): Promise<string> {
  const locked = readLock(lockFile)[source];
  if (locked === undefined) {
    throw missing(`"${source}" is not in ${lockFile}. Run "engine add ${source}".`);
  }
  const parsed = parseSource(source, dirname(lockFile));
  if (parsed.from === "path") return executableAt(parsed.path);
  const { address } = parsed;
  const { folder } = await lockedPackage({ lockFile, address, locked }, resolving);
  return executableIn(folder, address.type);
}

export interface LockedPackage {
  readonly lockFile: string;
  readonly address: ProviderAddress;
  readonly locked: LockedProvider;
}

/** Returns a package from the cache, or downloads it. @throws EngineError as {@link resolveProvider} */
export async function lockedPackage(
  { lockFile, address, locked }: LockedPackage,
  resolving: Resolving,
): Promise<CachedProvider> {
  const { env = process.env } = resolving;
  const { root = providersFolder(env) } = resolving;
  const { version, mirror, hashes } = locked;
  const cached = await cachedAsLocked({ root, address, locked });
  if (cached) return cached;
  const from = mirror === undefined ? {} : { mirror: resolve(dirname(lockFile), mirror) };
  // A run with a filled cache does not load the code for downloads.
  const [{ obtain }, { credentialsOf }] = await Promise.all([import("./obtain.js"), import("./credentials/index.js")]);
  const { credentials = credentialsOf(env) } = resolving;
  const obtained = await obtain({ address, version, hashes, ...from }, { ...resolving, root, credentials });
  if (!hashes.includes(obtained.content)) lockContent(lockFile, addressText(address), obtained.content, resolving);
  return obtained;
}

/** Adds the hash of the files to a lock file that had only hashes of archives, so that the cache can be verified. */
function lockContent(lockFile: string, source: string, content: string, { report }: Resolving): void {
  try {
    const locked = readLock(lockFile)[source];
    if (locked) writeLocked(lockFile, source, { ...locked, hashes: [...locked.hashes, content] });
  } catch (error) {
    report?.(
      `warning: The hash of ${source} for this system could not be added to the lock file (${messageOf(error)}), so each run downloads the provider again.`,
    );
  }
}

interface LookingUp {
  readonly root: string;
  readonly address: ProviderAddress;
  readonly locked: LockedProvider;
}

/** Undefined if the cache has none, or if it does not match the lock file. */
async function cachedAsLocked({ root, address, locked }: LookingUp): Promise<CachedProvider | undefined> {
  const cached = await lookUp(entryFolder(root, address, locked.version, thisTarget()));
  return cached && isLocked(locked, cached) ? cached : undefined;
}

/** True if a cached provider matches the lock file. */
export function isLocked({ hashes }: LockedProvider, { content }: CachedProvider): boolean {
  return hashes.includes(content);
}

/** Starts the program at this path. The caller closes it. */
type OpenProvider = (executable: string) => Promise<ProviderClient>;

export interface ToldSchema {
  readonly protocol: 5 | 6;
  readonly schema: ProviderSchema;
}

/**
 * Returns the schema of a provider, whose process has ended when this resolves. @throws EngineError `PROVIDER_FAILED`,
 * `PACKAGE_MISSING`
 */
export async function schemaOf(executable: string, open: OpenProvider = openProvider): Promise<ToldSchema> {
  const client = await open(executable);
  try {
    return { protocol: client.protocol, schema: await client.schema() };
  } finally {
    await client.close();
  }
}

async function openProvider(executable: string): Promise<ProviderClient> {
  // An error contains its last log lines.
  return launchProvider({ command: executable, folder: process.cwd(), log: () => {} });
}
