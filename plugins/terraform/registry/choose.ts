/** Chooses a version of a provider. */
import { missing } from "./failure.js";
import { newestFirst, readRange } from "./range.js";
import { mirroredPackages, type PublishedVersion, publishedVersions } from "./registry.js";
import type { Asking } from "./request.js";
import { addressText, type ProviderAddress, type Target, targetText, thisTarget } from "./source.js";

export interface Choosing {
  readonly address: ProviderAddress;
  /** Default: any version except prereleases. */
  readonly range?: string;
  readonly mirror?: string;
  readonly target?: Target;
}

/**
 * Returns the newest version in the range for this system. @throws EngineError `PROVIDER_MISSING`, with the available
 * ones
 */
export async function chooseVersion(choosing: Choosing, asking: Asking): Promise<PublishedVersion> {
  const all = newestFirst(await versionsOf(choosing, asking));
  return chosen(all, choosing);
}

/** @param all versions, newest first */
function chosen(
  all: readonly PublishedVersion[],
  { address, range = "*", target = thisTarget() }: Choosing,
): PublishedVersion {
  const name = addressText(address);
  const isInRange = readRange(range);
  const inRange = all.filter(({ version }) => isInRange(version));
  if (inRange.length === 0)
    throw missing(`No version of ${name} is in the range "${range}". Available: ${listed(all)}.`);
  const spoken = inRange.filter(
    ({ protocols }) => protocols.length === 0 || protocols.some((one) => /^[56](?:\.|$)/.test(one)),
  );
  if (spoken.length === 0)
    throw missing(
      `No version of ${name} in the range "${range}" supports the Terraform plugin protocol 5 or 6, which the engine needs. Choose another range.`,
    );
  const found = spoken.find(({ targets }) => targets.some((one) => targetText(one) === targetText(target)));
  if (found) return found;
  const others = [...new Set(spoken.flatMap(({ targets }) => targets.map(targetText)))].sort().join(", ");
  throw missing(
    `No version of ${name} in the range "${range}" supports ${targetText(target)}. Supported: ${others || "none"}.`,
  );
}

async function versionsOf({ address, mirror }: Choosing, asking: Asking): Promise<readonly PublishedVersion[]> {
  if (mirror === undefined) return publishedVersions(address, asking);
  const found = new Map<string, Target[]>();
  for (const { version, target } of await mirroredPackages(mirror, address)) {
    found.set(version, [...(found.get(version) ?? []), target]);
  }
  return [...found].map(([version, targets]) => ({ version, targets, protocols: [] }));
}

function listed(all: readonly PublishedVersion[]): string {
  const names = all.slice(0, 8).map(({ version }) => version);
  return names.length === 0 ? "none" : `${names.join(", ")}${all.length > names.length ? " and older ones" : ""}`;
}
