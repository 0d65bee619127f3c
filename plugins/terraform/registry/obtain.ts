/** Brings a version of a provider into the cache: downloads or copies, verifies, unpacks, and puts it in place. */
import { copyFile, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { archiveHash, type CachedProvider, contentHash, entryFolder, filesFolder, publish } from "./cache.js";
import { unverified } from "./failure.js";
import { askBytes, download, mirroredHashes, mirroredPackages, packageFor, publishedArchive } from "./registry.js";
import type { Asking } from "./request.js";
import { addressText, type ProviderAddress, type Target, targetText, thisTarget } from "./source.js";
import { type UnpackLimits, unpack, withIncoming } from "./unpack.js";
import { archiveHashes, readSums, verifySums } from "./verify-sums.js";

/** The requested version, and its allowed hashes. */
export interface Wanted {
  readonly address: ProviderAddress;
  readonly version: string;
  /** Folder to use instead of the registry. */
  readonly mirror?: string;
  /** Hashes of the lock file, of which one has to match. Default: any signed archive. */
  readonly hashes?: readonly string[];
  /** Default: this system. */
  readonly target?: Target;
}

/** The cache, and settings of requests. */
export interface Obtaining extends Asking {
  /** Folder of the cache. */
  readonly root: string;
  readonly mostBytes?: number;
  readonly unpackLimits?: UnpackLimits;
}

export interface Obtained extends CachedProvider {
  /** Hashes of all systems, for the lock file. */
  readonly hashes: readonly string[];
  readonly protocols: readonly string[];
  readonly signedBy?: string;
}

const MOST_BYTES = 2 * 2 ** 30;

/** @throws EngineError `PROVIDER_MISSING`, `PROVIDER_UNVERIFIED`; then nothing was kept */
export function obtain(wanted: Wanted, obtaining: Obtaining): Promise<Obtained> {
  return wanted.mirror === undefined ? fromRegistry(wanted, obtaining) : fromMirror(wanted, wanted.mirror, obtaining);
}

async function fromRegistry(wanted: Wanted, obtaining: Obtaining): Promise<Obtained> {
  const { address, version, target = thisTarget() } = wanted;
  const what = nameOf(wanted);
  const archive = await publishedArchive(address, version, target, obtaining);
  const absent =
    "The registry lists this file, but the server does not have it. Report this to the publisher of the provider.";
  const sums = await askBytes({ url: archive.sumsUrl, what: `The checksums of ${what}`, absent }, obtaining);
  const signer = await verifySums(address, archive, sums, obtaining);
  const hashes = archiveHashes(readSums(sums.toString("utf8")), archive);
  const own = `zh:${archive.sha256}`;
  const { protocols } = archive;
  const found = { protocols, ...(signer === undefined ? {} : { signedBy: signer }) };
  if (wanted.hashes?.some((hash) => hash.startsWith("zh:"))) checkLocked(wanted, [own]);
  const entry = entryFolder(obtaining.root, address, version, target);
  return withIncoming(obtaining.root, async (folder) => {
    const file = join(folder, "archive.zip");
    const { mostBytes = MOST_BYTES } = obtaining;
    obtaining.report?.(`Downloading ${what}`);
    const sum = await download(
      { url: archive.url, what: `The archive of ${what}`, absent },
      { file, mostBytes },
      obtaining,
    );
    if (sum !== archive.sha256) {
      throw unverified(
        `${archive.url} has the SHA-256 ${sum}, but its published checksum is ${archive.sha256}. Nothing was kept. Try again. If it fails again, report this to the publisher of the provider.`,
      );
    }
    const placed = await place(wanted, { entry, folder, file, archive: own }, obtaining);
    return { ...placed, ...found, hashes: [...hashes, placed.content] };
  });
}

async function fromMirror(wanted: Wanted, mirror: string, obtaining: Obtaining): Promise<Obtained> {
  const { address, version, target = thisTarget() } = wanted;
  const packages = (await mirroredPackages(mirror, address)).filter((one) => one.version === version);
  const own = packageFor(packages, target, `${addressText(address)} ${version} in the mirror ${mirror}`);
  const entry = entryFolder(obtaining.root, address, version, target);
  return withIncoming(obtaining.root, async (folder) => {
    const file = join(folder, "archive.zip");
    // Verifies and unpacks the same copy, even if the mirror changes meanwhile.
    if (own.isPacked) await copyFile(own.path, file);
    else await cp(own.path, join(await made(join(folder, "staged")), "files"), { recursive: true, dereference: true });
    const archive = own.isPacked ? await archiveHash(file) : undefined;
    const placed = await place(
      wanted,
      { entry, folder, ...(archive === undefined ? {} : { file, archive }) },
      obtaining,
    );
    return { ...placed, protocols: [], hashes: [...(await mirroredHashes(packages)), placed.content] };
  });
}

interface Placing {
  readonly entry: string;
  /** Temporary folder of this call. */
  readonly folder: string;
  /** Archive to unpack; undefined if the files are already staged. */
  readonly file?: string;
  readonly archive?: string;
}

async function place(
  wanted: Wanted,
  { entry, folder, file, archive }: Placing,
  { unpackLimits }: Obtaining,
): Promise<CachedProvider> {
  const staged = join(folder, "staged");
  const files = await filesFolder(staged);
  if (file !== undefined) await unpack(file, files, unpackLimits);
  const content = await contentHash(files);
  checkLocked(wanted, archive === undefined ? [content] : [archive, content]);
  return publish(entry, staged, content);
}

/** @throws EngineError `PROVIDER_UNVERIFIED` */
function checkLocked(wanted: Wanted, found: readonly string[]): void {
  const { address, hashes: locked, mirror } = wanted;
  if (locked === undefined || found.some((hash) => locked.includes(hash))) return;
  const source = addressText(address);
  const from = mirror === undefined ? "" : ` --mirror ${mirror}`;
  throw unverified(
    `${nameOf(wanted)} differs from the lock file, which lists none of its hashes (${found.join(", ")}). Nothing was kept. If you trust this archive, remove "${source}" from the lock file, and run "engine add ${source}${from}".`,
  );
}

function nameOf({ address, version, target = thisTarget() }: Wanted): string {
  return `${addressText(address)} ${version} for ${targetText(target)}`;
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  return folder;
}
