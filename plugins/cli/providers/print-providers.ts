/** Lists and verifies providers, for `engine providers` and `engine providers verify`. */

import { resolve } from "node:path";
import { isEngineError, messageOf } from "../../../core/base/index.js";
import { counted } from "../../internal/text/counted.js";
import {
  type Asking,
  addressText,
  chooseVersion,
  credentialsOf,
  entryFolder,
  executableAt,
  isLocked,
  type LockedProvider,
  lookUp,
  type ProviderAddress,
  parseSource,
  providersFolder,
  readLock,
  schemaOf,
  thisTarget,
} from "../../terraform/registry/index.js";
import { canAsk, confirm } from "../ask.js";
import { textOf } from "../flags.js";
import { print, printJson, printLines, say } from "../output.js";
import type { Given } from "../run-command.js";
import { type Column, table } from "../table.js";
import type { ProviderWork } from "./add.js";
import { usedInProgram } from "./program-uses.js";
import { type ProviderProject, projectAt } from "./provider-project.js";

export async function list(given: Given): Promise<void> {
  const found = await listProviders({ ...providerWork(given), newest: true });
  await printFound(found, given);
}

/** Sets the exit code 1 if a cached provider does not match the lock file. */
export async function verify(given: Given): Promise<void> {
  const found = await listProviders(providerWork(given));
  await printFound(found, given);
  const wrong = found.filter(({ standing }) => standing === "other");
  if (wrong.length === 0) return;
  say(
    `${counted(wrong.length, "provider")} in the cache ${wrong.length === 1 ? "does" : "do"} not match the lock file. The next run downloads ${wrong.length === 1 ? "it" : "them"} again.`,
  );
  process.exitCode = 1;
}

async function printFound(found: readonly ListedProvider[], { json }: Given): Promise<void> {
  if (json === true) printJson({ providers: found });
  else if (found.length === 0) print("There are no providers. Add one: engine add namespace/type");
  else printLines(await table(found, COLUMNS));
  if (json !== true) for (const { problem } of found) if (problem !== undefined) say(problem);
}

/** Returns the dependencies for the cache of this user and the named project. */
export function providerWork(given: Given): ProviderWork {
  return {
    root: providersFolder(process.env),
    credentials: credentialsOf(process.env),
    project: projectAt(textOf(given.entry)),
    schemaOf: (executable) => schemaOf(executable),
    usedIn: usedInProgram,
    print,
    report: say,
    acceptsKey: async (question) => canAsk() && confirm(question),
  };
}

/** Content of the cache: the locked provider, nothing, or another file. */
type CacheState = "cached" | "absent" | "other";

interface ListedProvider {
  readonly source: string;
  readonly range: string;
  readonly version: string;
  readonly standing: CacheState;
  /** Newest version in the range; undefined if no registry was asked, or none answered. */
  readonly newest?: string;
  /** Reason why the provider or its newest version was not found. */
  readonly problem?: string;
}

const COLUMNS: readonly Column<ListedProvider>[] = [
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
  cached: "cached",
  absent: "missing",
  other: "does not match the lock file",
};

interface Listing extends Asking {
  readonly root: string;
  readonly project: ProviderProject;
  /** True to ask registries for the newest version. */
  readonly newest?: boolean;
}

/** Lists the providers in the order of the lock file. @throws EngineError `PROVIDER_UNVERIFIED` if it is malformed */
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

/** Returns a problem if a registry cannot be reached, so that the other providers are still listed. */
async function newestOf(address: ProviderAddress, { range, mirror }: LockedProvider, listing: Listing) {
  const from = mirror === undefined ? {} : { mirror: resolve(listing.project.folder, mirror) };
  try {
    return { newest: (await chooseVersion({ address, range, ...from }, listing)).version };
  } catch (error) {
    if (!isEngineError(error)) throw error;
    return { problem: `${addressText(address)}: ${error.message}` };
  }
}
