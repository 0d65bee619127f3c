/** What is known of who has written a state, for people. */
import { isEngineError } from "../../base/index.js";
import type { Checkpoint, Contents, LedgerLocation, SealState } from "../../state/index.js";
import { proveCopy } from "./prove-copy.js";

/**
 * What is known of who has written a state:
 *
 * - `none`: it has no seals, so anyone who can write to the store may have written it
 * - `unverified`: it has seals, and no password or key was given to verify them
 * - `verified`: somebody with the key of the stage has written it
 * - `forged`: somebody without the key has changed it
 * - `other-key`: of a kept copy, whose key the given password or key does not open: it cannot be verified, nor restored with that
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
