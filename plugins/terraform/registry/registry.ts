/** A registry of providers: which versions it has of one, and where the archive of a version is. */
import { askJson } from "./answers.js";
import { missing } from "./failure.js";
import { type Asking, isLoopback } from "./request.js";
import { addressText, type ProviderAddress } from "./source.js";
import { type Target, targetText } from "./target.js";

export interface PublishedVersion {
  readonly version: string;
  /** E.g. `5.0`; empty where the registry does not say. */
  readonly protocols: readonly string[];
  readonly targets: readonly Target[];
}

/** What a registry says of the archive of a version for one system. */
export interface PublishedArchive {
  readonly protocols: readonly string[];
  readonly fileName: string;
  readonly url: URL;
  readonly sumsUrl: URL;
  readonly signatureUrl: URL;
  /** SHA-256, in hexadecimal. */
  readonly sha256: string;
  /** Armored public keys of which one has signed the sums. */
  readonly keys: readonly string[];
}

const SERVICE = "providers.v1";

/** Of a loopback address by http; each other one has to have https. */
function rootOf(host: string): URL {
  const secure = new URL(`https://${host}/`);
  return isLoopback(secure) ? new URL(`http://${host}/`) : secure;
}

/** Where the host has its registry. @throws EngineError `PROVIDER_MISSING` */
async function discover({ host }: ProviderAddress, asking: Asking): Promise<URL> {
  const url = new URL(".well-known/terraform.json", rootOf(host));
  const absent = `There is no registry at ${host}: check its name.`;
  const services = await askJson({ url, what: `The services of ${host}`, absent, registry: host }, asking);
  const place = services[SERVICE];
  if (typeof place === "string" && URL.canParse(place, url.href)) return new URL(place.replace(/\/*$/, "/"), url);
  throw missing(
    `The services of ${host}: ${url} names no ${SERVICE}, so it has no providers. Check the name of the host.`,
  );
}

/** @throws EngineError `PROVIDER_MISSING` */
export async function publishedVersions(
  address: ProviderAddress,
  asking: Asking,
): Promise<readonly PublishedVersion[]> {
  const name = addressText(address);
  const base = await discover(address, asking);
  const url = new URL(`${address.namespace}/${address.type}/versions`, base);
  const absent = `There is no provider ${address.namespace}/${address.type} in this registry: check both names.`;
  const { versions } = await askJson({ url, what: `The versions of ${name}`, absent, registry: address.host }, asking);
  if (!Array.isArray(versions))
    throw missing(`The versions of ${name}: ${url} names none. Check that a registry is there.`);
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
  const absent = "This version is not there for this system: choose another one.";
  const said = await askJson({ url, what, absent, registry: address.host }, asking);
  const place = (name: string): URL => {
    const text = said[name];
    if (typeof text === "string" && URL.canParse(text, url.href)) return new URL(text, url);
    throw missing(`${what}: ${url} does not say "${name}". Tell the operator of the registry.`);
  };
  const { filename, shasum, signing_keys: signing } = said;
  if (typeof filename !== "string" || !isSha256(shasum)) {
    throw missing(`${what}: ${url} does not say "filename" and "shasum". Tell the operator of the registry.`);
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
