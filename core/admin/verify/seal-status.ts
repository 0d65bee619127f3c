/** Who wrote a state: the result of checking its seal, for people. */
import { isEngineError } from "../../base/index.js";
import type { Checkpoint, Contents, LedgerLocation, SealState } from "../../state/index.js";
import { proveCopy } from "./prove-copy.js";

/**
 * Who wrote a state, as far as its seal shows:
 *
 * - `none`: no seals. Anyone who can write to the store may have written it
 * - `unverified`: sealed, but no password or key was given to verify it
 * - `verified`: written with the key of the stage
 * - `forged`: changed without the key of the stage
 * - `other-key`: a kept copy that the given password or key does not open. It cannot be verified or restored with that one
 */
export type SealStatus = "none" | "unverified" | "verified" | "forged" | "other-key";

export interface CopySeal {
  readonly seal: Exclude<SealStatus, "forged">;
  /** Whether its data key is another one than at present; undefined where nobody can tell. */
  readonly hasOwnKey?: boolean;
}

/** Of a state that was loaded, which throws where it is forged. */
export function sealStatusOf({ seal }: { readonly seal: SealState }): SealStatus {
  if (typeof seal === "object") return "verified";
  return seal === "locked" ? "unverified" : "none";
}

/**
 * @param present what is recorded by now; nothing where that cannot be loaded
 * @throws EngineError `STATE_FORGED`
 */
export async function sealOfCopy(
  location: LedgerLocation,
  present: { readonly seal: SealState; readonly contents: Contents },
  source: string,
  checkpoint: Checkpoint,
): Promise<CopySeal> {
  const isSealed = checkpoint.seal !== undefined;
  if (!location.seal?.isGiven) return { seal: isSealed ? "unverified" : "none" };
  try {
    const copy = { source, checkpoint, purposes: ["checkpoint"] } as const;
    const { sealer } = await proveCopy(location, present, copy, true);
    return isSealed ? { seal: "verified", hasOwnKey: sealer !== undefined } : { seal: "none" };
  } catch (error) {
    if (isEngineError(error, "WRONG_PASSWORD")) return { seal: "other-key", hasOwnKey: true };
    throw error;
  }
}

/** The one of two that says less. */
export function weaker(one: SealStatus, other: SealStatus): SealStatus {
  const order: readonly SealStatus[] = ["forged", "none", "other-key", "unverified", "verified"];
  return order.indexOf(one) < order.indexOf(other) ? one : other;
}
