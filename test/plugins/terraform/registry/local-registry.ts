/** A local registry of providers: the protocol, archives, checksums and their signatures, with optional faults. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as openpgp from "openpgp";
import { thisTarget } from "../../../../plugins/terraform/registry/index.js";
import { type Target, targetText } from "../../../../plugins/terraform/registry/source.js";
import { zipOf } from "./zip.ts";

export interface Release {
  readonly version: string;
  readonly protocols?: readonly string[];
  readonly targets?: readonly Target[];
  /** Text of the program file. */
  readonly text?: string;
}

/**
 * Handles a request in place of the right answer; returns true if it answered.
 * @param count of requests for this path, from 1
 */
export type Fault = (path: string, response: ServerResponse, count: number) => boolean;

export interface LocalRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  readonly paths: string[];
  /** Authorization headers of the requests for these paths. */
  readonly said: (string | undefined)[];
  /** If set, requests need it, except those for archives. */
  token: string | undefined;
  /** Resolves once a path with this end was requested. */
  asked(end: string): Promise<void>;
  fault: Fault | undefined;
  /** Keys that it publishes. Default: the one that signs. */
  keys: readonly string[] | undefined;
  /** Archive that it sends in place of the one with the right checksum. */
  swapped: Buffer | undefined;
  releases: readonly Release[];
  close(): Promise<void>;
}

export interface Key {
  readonly publicKey: string;
  readonly privateKey: openpgp.PrivateKey;
}

export async function newKey(name = "publisher"): Promise<Key> {
  const { publicKey, privateKey } = await openpgp.generateKey({
    type: "ecc",
    curve: "ed25519Legacy",
    userIDs: [{ name, email: "publisher@example.com" }],
    format: "object",
  });
  return { publicKey: publicKey.armor(), privateKey };
}

export function archiveOf({ version, text = `#!/bin/sh\n# ${version}\n` }: Release, type: string): Buffer {
  return zipOf([
    { name: `terraform-provider-${type}_v${version}`, text },
    { name: "LICENSE", text: "MPL" },
  ]);
}

/** Serves the provider `acme/thing`. */
export async function localRegistry(releases: readonly Release[], key: Key): Promise<LocalRegistry> {
  const counts = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const registry: Omit<LocalRegistry, "host" | "close"> = {
    paths: [],
    said: [],
    token: undefined,
    fault: undefined,
    keys: undefined,
    swapped: undefined,
    releases,
    asked: (end) =>
      new Promise((resolve) => {
        if (registry.paths.some((path) => path.endsWith(end))) resolve();
        else waiting.set(end, resolve);
      }),
  };
  const answer = async (path: string): Promise<Buffer | object | undefined> => {
    const [, version = "", rest = ""] = /^\/(?:v1\/acme\/thing|files)\/([\d.]+)\/(.+)$/.exec(path) ?? [];
    const release = registry.releases.find((one) => one.version === version);
    if (path === "/.well-known/terraform.json") return { "providers.v1": "/v1/" };
    if (path === "/v1/acme/thing/versions") return { versions: registry.releases.map(versionOf) };
    if (release === undefined) return undefined;
    if (rest.startsWith("download/")) return downloadOf(release, rest, registry.keys ?? [key.publicKey]);
    if (rest === "sums") return Buffer.from(sumsOf(release));
    if (rest === "sums.sig") return signatureOf(sumsOf(release), key);
    return registry.swapped ?? archiveOf(release, "thing");
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const { authorization } = request.headers;
    registry.paths.push(path);
    registry.said.push(authorization);
    counts.set(path, (counts.get(path) ?? 0) + 1);
    for (const [end, seen] of waiting) if (path.endsWith(end)) seen();
    if (registry.fault?.(path, response, counts.get(path) ?? 0)) return;
    const isClosed = registry.token !== undefined && !path.startsWith("/files/");
    if (isClosed && authorization !== `Bearer ${registry.token}`) return void response.writeHead(401).end();
    void answer(path).then((body) => {
      if (body === undefined) response.writeHead(404).end();
      else response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(registry, {
    host: `127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  });
}

function versionOf({ version, protocols = ["5.0"], targets = [thisTarget()] }: Release): object {
  return { version, protocols, platforms: targets };
}

function downloadOf(release: Release, rest: string, keys: readonly string[]): object | undefined {
  const [, os = "", arch = ""] = rest.split("/");
  const { version, protocols = ["5.0"], targets = [thisTarget()] } = release;
  if (!targets.some((one) => targetText(one) === `${os}_${arch}`)) return undefined;
  const file = fileName(version, { os, arch });
  return {
    protocols,
    os,
    arch,
    filename: file,
    download_url: `/files/${version}/${file}`,
    shasums_url: `/files/${version}/sums`,
    shasums_signature_url: `/files/${version}/sums.sig`,
    shasum: sha256(archiveOf(release, "thing")),
    signing_keys: { gpg_public_keys: keys.map((ascii_armor) => ({ ascii_armor })) },
  };
}

function fileName(version: string, target: Target): string {
  return `terraform-provider-thing_${version}_${targetText(target)}.zip`;
}

/** Checksums, with one more system than there are archives. */
function sumsOf(release: Release): string {
  const { version, targets = [thisTarget()] } = release;
  const own = sha256(archiveOf(release, "thing"));
  const lines = targets.map((target) => `${own}  ${fileName(version, target)}`);
  return `${[...lines, `${sha256(Buffer.from(version))}  ${fileName(version, { os: "plan9", arch: "mips" })}`].join("\n")}\n`;
}

async function signatureOf(text: string, { privateKey }: Key): Promise<Buffer> {
  const message = await openpgp.createMessage({ binary: Buffer.from(text) });
  const signed = await openpgp.sign({ message, signingKeys: privateKey, detached: true, format: "binary" });
  return Buffer.from(signed);
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
