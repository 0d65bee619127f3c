/** Client of a registry of providers: versions of a provider, and archives of a version. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isAbsence } from "../../../core/base/index.js";
import { archiveHash, contentHash } from "./cache.js";
import { missing, unverified } from "./failure.js";
import { isVersion } from "./range.js";
import { type Asking, ask, isLoopback, type Question } from "./request.js";
import { addressText, DEFAULT_HOST, type ProviderAddress, type Target, TERRAFORM_HOST, targetText } from "./source.js";

export interface PublishedVersion {
  readonly version: string;
  /** E.g. `5.0`; empty if the registry does not give them. */
  readonly protocols: readonly string[];
  readonly targets: readonly Target[];
}

/** Archive of a version for one system, as the registry describes it. */
export interface PublishedArchive {
  readonly protocols: readonly string[];
  readonly fileName: string;
  readonly url: URL;
  readonly sumsUrl: URL;
  readonly signatureUrl: URL;
  /** SHA-256, in hexadecimal. */
  readonly sha256: string;
  /** Armored public keys, of which one signed the checksums. */
  readonly keys: readonly string[];
}

const SERVICE = "providers.v1";

/** Returns the URL of a host: http for a loopback address, https for any other. */
function rootOf(host: string): URL {
  const secure = new URL(`https://${host}/`);
  return isLoopback(secure) ? new URL(`http://${host}/`) : secure;
}

/** Finds the URL of the registry of a host. @throws EngineError `PROVIDER_MISSING` */
async function discover({ host }: ProviderAddress, asking: Asking): Promise<URL> {
  const url = new URL(".well-known/terraform.json", rootOf(host));
  const absent = `There is no registry at ${host}. Check the name of the host.`;
  const services = await askJson({ url, what: `The services of ${host}`, absent, registry: host }, asking);
  const place = services[SERVICE];
  if (typeof place === "string" && URL.canParse(place, url.href)) return new URL(place.replace(/\/*$/, "/"), url);
  throw missing(`${url} lists no service "${SERVICE}", so ${host} has no providers. Check the name of the host.`);
}

/** @throws EngineError `PROVIDER_MISSING` */
export async function publishedVersions(
  address: ProviderAddress,
  asking: Asking,
): Promise<readonly PublishedVersion[]> {
  const name = addressText(address);
  const base = await discover(address, asking);
  const url = new URL(`${address.namespace}/${address.type}/versions`, base);
  const absent = `There is no provider ${address.namespace}/${address.type} in this registry. Check the namespace and the name.`;
  const { versions } = await askJson({ url, what: `The versions of ${name}`, absent, registry: address.host }, asking);
  if (!Array.isArray(versions))
    throw missing(`${url} lists no versions of ${name}. Check that ${address.host} is a registry of providers.`);
  return versions.flatMap((one: unknown) => {
    const { version, protocols, platforms } = Object(one);
    if (typeof version !== "string") return [];
    return {
      version: version.replace(/^v/, ""),
      protocols: texts(protocols),
      targets: listOf(platforms).flatMap(targetIn),
    };
  });
}

/** @throws EngineError `PROVIDER_MISSING` */
export async function publishedArchive(
  address: ProviderAddress,
  version: string,
  target: Target,
  asking: Asking,
): Promise<PublishedArchive> {
  const what = `The archive of ${addressText(address)} ${version} for ${targetText(target)}`;
  const base = await discover(address, asking);
  const url = new URL(`${address.namespace}/${address.type}/${version}/download/${target.os}/${target.arch}`, base);
  const absent = "This version does not support this system. Choose another version.";
  const said = await askJson({ url, what, absent, registry: address.host }, asking);
  const place = (name: string): URL => {
    const text = said[name];
    if (typeof text === "string" && URL.canParse(text, url.href)) return new URL(text, url);
    throw missing(`${what}: ${url} has no "${name}". Report this to the operator of the registry.`);
  };
  const { filename, shasum, signing_keys: signing } = said;
  if (typeof filename !== "string" || !isSha256(shasum)) {
    throw missing(`${what}: ${url} has no valid "filename" and "shasum". Report this to the operator of the registry.`);
  }
  return {
    protocols: texts(said.protocols),
    fileName: filename,
    url: place("download_url"),
    sumsUrl: place("shasums_url"),
    signatureUrl: place("shasums_signature_url"),
    sha256: shasum.toLowerCase(),
    keys: texts(listOf(Object(signing).gpg_public_keys).map((key) => Object(key).ascii_armor)),
  };
}

function isSha256(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/i.test(value);
}

function targetIn(value: unknown): Target[] {
  const { os, arch } = Object(value);
  return typeof os === "string" && typeof arch === "string" ? [{ os, arch }] : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === "string");
}

// Reads answers of registries.

type Asked = Omit<Question<unknown>, "read">;

/** Maximum bytes of lists, checksums and signatures. */
const MOST_BYTES = 16 * 2 ** 20;

/** Milliseconds between two progress lines of a download. */
const REPORT_INTERVAL = 2000;

/** @throws EngineError as {@link ask}, and if the answer is too large */
export function askBytes(asked: Asked, asking?: Asking): Promise<Buffer> {
  const read: Question<Buffer>["read"] = async (body, alive) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of body) {
      alive();
      size += part.length;
      if (size > MOST_BYTES)
        throw missing(
          `${asked.what}: the answer of ${asked.url} is larger than ${megabytes(MOST_BYTES)}. Report this to the operator of the registry.`,
        );
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
  return ask({ ...asked, read }, asking);
}

/** @throws EngineError as {@link ask}, and if the answer is not a JSON object */
async function askJson(asked: Asked, asking?: Asking): Promise<Readonly<Record<string, unknown>>> {
  const text = (await askBytes(asked, asking)).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Thrown below.
  }
  throw missing(
    `${asked.what}: the answer of ${asked.url} is not a JSON object. Check that the host is a registry of providers.`,
  );
}

interface Download {
  /** Path of the new file. */
  readonly file: string;
  readonly mostBytes: number;
}

/** Streams an answer to a file. @returns its SHA-256, in hexadecimal @throws EngineError as {@link ask} */
export function download(asked: Asked, { file, mostBytes }: Download, asking: Asking = {}): Promise<string> {
  const read: Question<string>["read"] = async (body, alive, length) => {
    const hash = createHash("sha256");
    const tell = progress(asked.what, length, asking);
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const part of body) {
        alive();
        size += part.length;
        if (size > mostBytes)
          throw unverified(
            `${asked.what}: ${asked.url} is larger than ${megabytes(mostBytes)}. Nothing was kept. Report this to the operator of the registry.`,
          );
        hash.update(part);
        tell(size);
        yield part;
      }
    };
    // Overwrites the file of an earlier attempt.
    await pipeline(counted, createWriteStream(file, { mode: 0o600 }));
    return hash.digest("hex");
  };
  return ask({ ...asked, read }, asking);
}

function progress(what: string, length: number | undefined, { report }: Asking): (size: number) => void {
  let last = performance.now();
  return (size) => {
    if (performance.now() - last < REPORT_INTERVAL) return;
    last = performance.now();
    const all = length === undefined ? "" : ` of ${megabytes(length)}`;
    report?.(`${what}: ${megabytes(size)}${all}`);
  };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** A version for one system in a mirror. */
interface MirroredPackage {
  readonly version: string;
  readonly target: Target;
  readonly path: string;
  readonly isPacked: boolean;
}

const TARGET = /^([0-9a-z]+)_([0-9a-z]+)$/;

/**
 * Looks for a provider of the default registry also in the folder that Terraform's mirrors have for its own registry.
 *
 * @throws EngineError `PROVIDER_MISSING` if the mirror, or the provider in it, does not exist
 */
export async function mirroredPackages(mirror: string, address: ProviderAddress): Promise<readonly MirroredPackage[]> {
  const { host, namespace, type } = address;
  let folder = join(mirror, host, namespace, type);
  let names = await namesIn(folder);
  if (names === undefined && host === DEFAULT_HOST) {
    const other = join(mirror, TERRAFORM_HOST, namespace, type);
    const others = await namesIn(other);
    if (others) [folder, names] = [other, others];
  }
  if (names === undefined) {
    throw missing(
      `The mirror ${mirror} has no ${addressText(address)}: ${folder} does not exist. Put the provider there, or use another mirror.`,
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

/** Returns the hashes of all systems for the lock file. */
export async function mirroredHashes(packages: readonly MirroredPackage[]): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const { path, isPacked } of packages) hashes.push(await (isPacked ? archiveHash(path) : contentHash(path)));
  return hashes;
}

/** Returns the package for a system, the packed one if there are both. @throws EngineError `PROVIDER_MISSING` */
export function packageFor(packages: readonly MirroredPackage[], target: Target, what: string): MirroredPackage {
  const fitting = packages.filter((one) => targetText(one.target) === targetText(target));
  const [first] = [...fitting].sort((a, b) => Number(b.isPacked) - Number(a.isPacked));
  if (first) return first;
  const others = packages.map((one) => targetText(one.target)).join(", ");
  throw missing(`${what} is not available for ${targetText(target)}. Available: ${others || "none"}.`);
}
