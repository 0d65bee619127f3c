/** Chooses, caches and locks a provider for `engine add`. */
import { dirname } from "node:path";
import { chooseVersion } from "./choose.js";
import { unverified } from "./failure.js";
import { type LockedProvider, readLock, writeLocked } from "./lock-file.js";
import { type Obtaining, obtain } from "./obtain.js";
import { rangeFrom } from "./range.js";
import { lockedPackage } from "./resolve-provider.js";
import { addressText, type ProviderAddress, type ProviderSource, pathText } from "./source.js";
import { executableAt, executableIn, typeOfProgram } from "./unpack.js";

export interface AddedProvider {
  /** Source as in the lock file. */
  readonly source: string;
  readonly type: string;
  readonly locked: LockedProvider;
  readonly executable: string;
}

export interface Adding extends Obtaining {
  readonly lockFile: string;
  /** Confirms a version that is signed with another key than the previous one. Default: refuse it. */
  readonly acceptsKey?: (question: string) => Promise<boolean>;
  readonly mirror?: string;
}

/**
 * Chooses and caches a provider. The lock file is not written yet: see {@link lockIn}.
 *
 * @throws EngineError `PROVIDER_MISSING`, `PROVIDER_UNVERIFIED`, `INVALID_ARGUMENT`
 */
export async function addProvider(source: ProviderSource, adding: Adding): Promise<AddedProvider> {
  if (source.from === "path") return addPath(source.path, adding.lockFile);
  const { address } = source;
  const { mirror, lockFile } = adding;
  const before = readLock(lockFile)[addressText(address)];
  if (before && source.range === undefined && mirror === undefined) return addAgain(address, before, adding);
  const range = source.range === undefined ? {} : { range: source.range };
  const { version } = await chooseVersion({ address, ...range, ...(mirror ? { mirror } : {}) }, adding);
  return takeVersion({ address, version, range: source.range ?? rangeFrom(version), before }, adding);
}

/** Returns the locked version, with the hash of its files for this system. */
async function addAgain(address: ProviderAddress, before: LockedProvider, adding: Adding): Promise<AddedProvider> {
  const { folder, content } = await lockedPackage({ lockFile: adding.lockFile, address, locked: before }, adding);
  const locked = { ...before, hashes: [...before.hashes, content] };
  const executable = await executableIn(folder, address.type);
  return { source: addressText(address), type: address.type, locked, executable };
}

export interface Taking {
  readonly address: ProviderAddress;
  readonly version: string;
  readonly range: string;
  /** The present entry of the lock file. */
  readonly before: LockedProvider | undefined;
}

export async function takeVersion({ address, version, range, before }: Taking, adding: Adding): Promise<AddedProvider> {
  const { mirror, lockFile } = adding;
  const found = await obtain({ address, version, ...(mirror ? { mirror } : {}) }, adding);
  const source = addressText(address);
  if (before?.signedBy !== undefined && found.signedBy === undefined && mirror === undefined) {
    throw unverified(
      `The registry has no signing key for ${source} ${version}, but ${before.version} was signed with the key ${before.signedBy}. Ask the publisher of the provider whether this is intended. If so, remove the provider from ${lockFile} and run "engine add ${source}" again.`,
    );
  }
  const { protocols, signedBy, hashes } = found;
  if (before?.signedBy !== undefined && signedBy !== undefined && before.signedBy !== signedBy) {
    const change = `${source} ${version} is signed with the key ${signedBy}, but ${before.version} was signed with ${before.signedBy}.`;
    if (
      !(await adding.acceptsKey?.(
        `${change} Has the publisher of the provider confirmed the new key, and do you accept this key?`,
      ))
    ) {
      throw unverified(
        `${change} Ask the publisher of the provider whether this is intended. If so, run "engine add ${source}" at a terminal and accept the new key. Without a terminal, first remove the provider from ${lockFile}.`,
      );
    }
  }
  const locked: LockedProvider = {
    range,
    version,
    protocols,
    ...(signedBy === undefined ? {} : { signedBy }),
    ...(mirror === undefined ? {} : { mirror: pathText(mirror, dirname(lockFile)) }),
    hashes,
  };
  return { source, type: address.type, locked, executable: await executableIn(found.folder, address.type) };
}

async function addPath(path: string, lockFile: string): Promise<AddedProvider> {
  const executable = await executableAt(path);
  const type = typeOfProgram(executable);
  if (type === undefined) {
    throw unverified(
      `The name of ${executable} does not say which provider it is. Rename it to terraform-provider-NAME.`,
    );
  }
  const locked: LockedProvider = { range: "*", version: "0.0.0", protocols: [], hashes: [] };
  return { source: pathText(path, dirname(lockFile)), type, locked, executable };
}

export function lockIn(lockFile: string, { source, locked }: AddedProvider): void {
  writeLocked(lockFile, source, locked);
}
