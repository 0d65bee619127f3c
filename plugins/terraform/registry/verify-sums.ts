import { isMissing, messageOf, packageMissing } from "../../../core/base/index.js";
import { unverified } from "./failure.js";
import type { PublishedArchive } from "./registry.js";
import { askBytes } from "./registry.js";
import type { Asking } from "./request.js";
import { addressText, DEFAULT_HOST, type ProviderAddress } from "./source.js";

const REPORT = "Report this to the publisher of the provider.";

/**
 * Verifies the checksums of a version with the publisher's keys in the registry. The default registry has no key of
 * some providers. They are accepted with a warning, because the connection to the registry vouches for them, as it does
 * for keys.
 *
 * @returns the id of the key; undefined if there is none
 * @throws EngineError `PROVIDER_UNVERIFIED`, and as {@link askBytes}
 */
export async function verifySums(
  address: ProviderAddress,
  { keys, signatureUrl, sumsUrl }: PublishedArchive,
  sums: Buffer,
  asking: Asking,
): Promise<string | undefined> {
  const name = addressText(address);
  if (keys.length === 0 && address.host === DEFAULT_HOST) {
    asking.report?.(
      `warning: The signature of ${name} was not verified, because ${address.host} has no key of the publisher. The engine only compares the archive with the published checksum.`,
    );
    return undefined;
  }
  if (keys.length === 0) {
    throw unverified(
      `${address.host} has no signing key of ${name}, so the engine cannot verify the provider. Nothing was kept. Report this to the operator of the registry.`,
    );
  }
  const absent = `The registry lists this file, but the server does not have it. ${REPORT}`;
  const signature = await askBytes({ url: signatureUrl, what: `The signature of ${name}`, absent }, asking);
  const signed = await signedBy(sums, signature, keys);
  if ("by" in signed) return signed.by;
  throw unverified(
    `The checksums at ${sumsUrl} are not signed with a key of ${name}: ${signed.problem}. Nothing was kept. ${REPORT}`,
  );
}

/** Result of verifying an OpenPGP signature: id of the key, or problem. */
type Signed = { readonly by: string } | { readonly problem: string };

const PACKAGE = "openpgp";

/** @throws EngineError `PACKAGE_MISSING` */
async function loadOpenPgp(): Promise<typeof import("openpgp")> {
  try {
    return await import("openpgp");
  } catch (error) {
    throw isMissing(error, PACKAGE) ? packageMissing(PACKAGE, error) : error;
  }
}

/**
 * Finds the key that signed the bytes. Returns its id, in hexadecimal.
 *
 * @param signature detached, binary or armored
 * @param keys armored
 */
export async function signedBy(bytes: Uint8Array, signature: Buffer, keys: readonly string[]): Promise<Signed> {
  const openpgp = await loadOpenPgp();
  try {
    const known = (await Promise.all(keys.map((armoredKeys) => openpgp.readKeys({ armoredKeys })))).flat();
    const isArmored = signature.subarray(0, 5).toString("latin1") === "-----";
    const read = isArmored
      ? await openpgp.readSignature({ armoredSignature: signature.toString("latin1") })
      : await openpgp.readSignature({ binarySignature: signature });
    const message = await openpgp.createMessage({ binary: bytes });
    const { signatures } = await openpgp.verify({ message, signature: read, verificationKeys: known });
    const problems: string[] = [];
    for (const { keyID, verified } of signatures) {
      const problem = await verified.then(() => undefined, messageOf);
      if (problem === undefined) return { by: keyID.toHex() };
      problems.push(problem);
    }
    return { problem: problems.join("; ") || "the signature file contains no signature" };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Parses checksums: hexadecimal by file name. Other lines are left out. */
export function readSums(text: string): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, sum, file] = /^([0-9a-f]{64})[ \t]+\*?(\S+)$/i.exec(line) ?? [];
    if (sum !== undefined && file !== undefined) sums.set(file, sum.toLowerCase());
  }
  return sums;
}

/**
 * Returns the hashes of all archives of the version, as in lock files.
 *
 * @throws EngineError `PROVIDER_UNVERIFIED` if the signed checksums differ from the registry
 */
export function archiveHashes(sums: ReadonlyMap<string, string>, archive: PublishedArchive): readonly string[] {
  const { fileName, sha256, sumsUrl } = archive;
  const signed = sums.get(fileName);
  if (signed === undefined) throw unverified(`${sumsUrl} has no checksum of ${fileName}. Nothing was kept. ${REPORT}`);
  if (signed !== sha256) {
    throw unverified(
      `${sumsUrl} has the checksum ${signed} for ${fileName}, but the registry has ${sha256}. Nothing was kept. ${REPORT}`,
    );
  }
  return [...sums].filter(([file]) => file.endsWith(".zip")).map(([, sum]) => `zh:${sum}`);
}
