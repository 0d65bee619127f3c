/** SHA256SUMS of a version: a line for each file. */
import { unverified } from "./failure.js";
import type { PublishedArchive } from "./registry.js";

/** By names of files, in hexadecimal. Lines that are none of sums are left out. */
export function readSums(text: string): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, sum, file] = /^([0-9a-f]{64})[ \t]+\*?(\S+)$/i.exec(line) ?? [];
    if (sum !== undefined && file !== undefined) sums.set(file, sum.toLowerCase());
  }
  return sums;
}

/**
 * The hashes of all archives of the version, as lock files have them.
 *
 * @throws EngineError `PROVIDER_UNVERIFIED` where the signed sums say something else than the registry
 */
export function archiveHashes(sums: ReadonlyMap<string, string>, archive: PublishedArchive): readonly string[] {
  const { fileName, sha256, sumsUrl } = archive;
  const signed = sums.get(fileName);
  if (signed === undefined)
    throw unverified(`${sumsUrl} has no sum of ${fileName}. Nothing was kept; tell whoever publishes it.`);
  if (signed !== sha256) {
    throw unverified(
      `${sumsUrl} says ${signed} of ${fileName}, the registry ${sha256}. Nothing was kept; tell whoever publishes it.`,
    );
  }
  return [...sums].filter(([file]) => file.endsWith(".zip")).map(([, sum]) => `zh:${sum}`);
}
