import { askBytes } from "./answers.js";
import { unverified } from "./failure.js";
import type { PublishedArchive } from "./registry.js";
import type { Asking } from "./request.js";
import { signedBy } from "./signature.js";
import { addressText, DEFAULT_HOST, type ProviderAddress } from "./source.js";

/**
 * Holds the sums of a version against the keys that the registry has of their publisher. The default registry serves providers of which it
 * knows no key: those are told, and taken, for what speaks for them is the connection to the registry, as it does for keys.
 *
 * @returns the id of the key; undefined where there is none
 * @throws EngineError `PROVIDER_UNVERIFIED`, and as requests do
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
      `warning: ${name} is not signed: ${address.host} has no key of its publisher. Its archives are held against the sums that were published with them.`,
    );
    return undefined;
  }
  if (keys.length === 0) {
    throw unverified(
      `${address.host} has no key that ${name} is signed with, so it cannot be verified. Nothing was kept; tell its operator.`,
    );
  }
  const absent = "The registry names it, and it is not there: tell whoever publishes it.";
  const signature = await askBytes({ url: signatureUrl, what: `The signature of ${name}`, absent }, asking);
  const signed = await signedBy(sums, signature, keys);
  if ("by" in signed) return signed.by;
  throw unverified(
    `The sums at ${sumsUrl} are not signed with a key of ${name}: ${signed.problem}. Nothing was kept; tell whoever publishes it.`,
  );
}
