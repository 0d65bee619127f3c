/** `engine providers` and `engine providers verify`: what the lock file has, and what is in the cache of it. */
import { resolve } from "node:path";
import { isEngineError, messageOf } from "../../../core/base/index.js";
import {
  type Asking,
  addressText,
  chooseVersion,
  entryFolder,
  executableAt,
  isLocked,
  type LockedProvider,
  lookUp,
  type ProviderAddress,
  parseSource,
  readLock,
  thisTarget,
} from "../../terraform/registry/index.js";
import type { Column } from "../table.js";
import type { ProviderProject } from "./provider-project.js";

/** What is in the cache: what the lock file says, nothing, or something else. */
export type CacheState = "cached" | "absent" | "other";

export interface ListedProvider {
  readonly source: string;
  readonly range: string;
  readonly version: string;
  readonly standing: CacheState;
  /** In the range; undefined where nobody was asked, or nobody could tell. */
  readonly newest?: string;
  /** Why it could not be told. */
  readonly problem?: string;
}

export const COLUMNS: readonly Column<ListedProvider>[] = [
  { title: "SOURCE", text: ({ source }) => source, cut: "middle" },
  { title: "RANGE", text: ({ range }) => range },
  { title: "VERSION", text: ({ version }) => version },
  { title: "CACHE", text: ({ standing }) => SAID[standing] },
  {
    title: "NEWEST",
    text: ({ newest, version, problem }) => (problem ? "?" : newest === version ? "" : (newest ?? "")),
  },
];

const SAID: Readonly<Record<CacheState, string>> = {
  cached: "there",
  absent: "not there",
  other: "not what the lock file says",
};

export interface Listing extends Asking {
  readonly root: string;
  readonly project: ProviderProject;
  /** Whether registries are asked for what is newest. */
  readonly newest?: boolean;
}

/** In the order of the lock file. @throws EngineError `PROVIDER_UNVERIFIED` where that says nonsense */
export async function listProviders(listing: Listing): Promise<readonly ListedProvider[]> {
  const { lockFile, folder } = listing.project;
  const found: ListedProvider[] = [];
  for (const [source, locked] of Object.entries(readLock(lockFile))) {
    const { range, version } = locked;
    const parsed = parseSource(source, folder);
    if (parsed.from === "path") {
      found.push({ source, range, version, ...(await atPath(parsed.path)) });
      continue;
    }
    const standing = await cacheStateOf(parsed.address, locked, listing);
    const newer = listing.newest ? await newestOf(parsed.address, locked, listing) : {};
    found.push({ source, range, version, standing, ...newer });
  }
  return found;
}

async function atPath(path: string): Promise<{ readonly standing: CacheState; readonly problem?: string }> {
  return executableAt(path).then(
    () => ({ standing: "cached" }),
    (error: unknown) => ({ standing: "absent", problem: messageOf(error) }),
  );
}

async function cacheStateOf(address: ProviderAddress, locked: LockedProvider, { root }: Listing): Promise<CacheState> {
  const cached = await lookUp(entryFolder(root, address, locked.version, thisTarget()));
  if (cached === undefined) return "absent";
  return isLocked(locked, cached) ? "cached" : "other";
}

/** One that cannot be reached is no reason not to tell of the others. */
async function newestOf(address: ProviderAddress, { range, mirror }: LockedProvider, listing: Listing) {
  const from = mirror === undefined ? {} : { mirror: resolve(listing.project.folder, mirror) };
  try {
    return { newest: (await chooseVersion({ address, range, ...from }, listing)).version };
  } catch (error) {
    if (!isEngineError(error)) throw error;
    return { problem: `${addressText(address)}: ${error.message}` };
  }
}
