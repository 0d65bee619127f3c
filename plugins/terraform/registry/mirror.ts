/** A folder with providers, for those without a network: packed, `TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip`, or unpacked, `TYPE/VERSION/OS_ARCH/`. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence } from "../../../core/base/index.js";
import { archiveHash, contentHash } from "./content-hash.js";
import { missing } from "./failure.js";
import { addressText, type ProviderAddress } from "./source.js";
import { type Target, targetText } from "./target.js";
import { isVersion } from "./version.js";

/** One version for one system. */
export interface MirroredPackage {
  readonly version: string;
  readonly target: Target;
  readonly path: string;
  readonly isPacked: boolean;
}

const TARGET = /^([0-9a-z]+)_([0-9a-z]+)$/;

/** @throws EngineError `PROVIDER_MISSING` where the mirror, or this provider in it, is not there */
export async function mirroredPackages(mirror: string, address: ProviderAddress): Promise<readonly MirroredPackage[]> {
  const { host, namespace, type } = address;
  const folder = join(mirror, host, namespace, type);
  const names = await namesIn(folder);
  if (names === undefined) {
    throw missing(
      `There is no ${addressText(address)} in the mirror ${mirror}: ${folder} is not there. Put it there, or name another mirror.`,
    );
  }
  const found: MirroredPackage[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const packed = packedAs(name, type);
    if (packed) found.push({ ...packed, path, isPacked: true });
    else if (isVersion(name)) found.push(...(await unpackedIn(path, name)));
  }
  return found;
}

function packedAs(name: string, type: string): { readonly version: string; readonly target: Target } | undefined {
  const [start, end] = [`terraform-provider-${type}_`, ".zip"];
  if (!name.startsWith(start) || !name.endsWith(end)) return undefined;
  const [, version = "", os = "", arch = ""] =
    /^(.+)_([0-9a-z]+)_([0-9a-z]+)$/.exec(name.slice(start.length, -end.length)) ?? [];
  return isVersion(version) ? { version, target: { os, arch } } : undefined;
}

async function unpackedIn(folder: string, version: string): Promise<readonly MirroredPackage[]> {
  return ((await namesIn(folder)) ?? []).flatMap((name) => {
    const [, os, arch] = TARGET.exec(name) ?? [];
    return os && arch ? [{ version, target: { os, arch }, path: join(folder, name), isPacked: false }] : [];
  });
}

async function namesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await stat(folder)).isDirectory() ? (await readdir(folder)).sort() : undefined;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** What the lock file is to have of all systems. */
export async function mirroredHashes(packages: readonly MirroredPackage[]): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const { path, isPacked } of packages) hashes.push(await (isPacked ? archiveHash(path) : contentHash(path)));
  return hashes;
}

/** The packed one, where there are both. @throws EngineError `PROVIDER_MISSING` */
export function packageFor(packages: readonly MirroredPackage[], target: Target, what: string): MirroredPackage {
  const fitting = packages.filter((one) => targetText(one.target) === targetText(target));
  const [first] = [...fitting].sort((a, b) => Number(b.isPacked) - Number(a.isPacked));
  if (first) return first;
  const others = packages.map((one) => targetText(one.target)).join(", ");
  throw missing(`${what} is not there for ${targetText(target)}, only for ${others || "none"}.`);
}
