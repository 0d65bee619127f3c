/** Proves that a copy of a state was written with its key, and finds the key of its secrets. */
import { EngineError, isEngineError } from "../../../../core/base/index.js";
import { pluginOwner, type Sealer, type StateKey } from "../../../../core/contract/index.js";
import {
  type Checkpoint,
  type CheckpointPurpose,
  type Contents,
  forged,
  isSealedCheckpoint,
  type LedgerLocation,
  type SealState,
  sealed,
  untrusted,
} from "../../../../core/state/index.js";

export interface Copy {
  /** Key in the store, or name of the file, for messages. */
  readonly source: string;
  readonly checkpoint: Checkpoint;
  readonly purposes: readonly CheckpointPurpose[];
}

export interface ProvenCopy {
  readonly contents: Contents;
  /** The key that the copy brings, if it is not the present one. */
  readonly sealer: Sealer | undefined;
}

/** The present state. */
interface Present {
  readonly seal: SealState;
  readonly contents: Contents;
}

/**
 * If the copy was sealed with the present key, the present record of that key is kept: restoring does not bring an old
 * password back.
 *
 * @param acceptsUnproven also accepts a copy without proof, e.g. from before the state was sealed
 * @throws EngineError `STATE_FORGED`, `PASSWORD_REQUIRED`, and all that opening its key throws
 */
export async function proveCopy(
  location: LedgerLocation,
  present: Present,
  { source, checkpoint, purposes }: Copy,
  acceptsUnproven: boolean,
): Promise<ProvenCopy> {
  const { head, contents, seal } = checkpoint;
  const key = location.seal;
  if (!key?.isGiven) {
    if (seal !== undefined || present.seal === "locked") throw sealed(location);
    return { contents, sealer: undefined };
  }
  const isBy = (sealer: Sealer): boolean => seal !== undefined && isSealedCheckpoint(sealer, purposes, head, seal);
  if (typeof present.seal === "object" && isBy(present.seal)) {
    return { contents: withPresentKey(location, present, contents), sealer: undefined };
  }
  const opened = await openIn(location, key, source, checkpoint);
  // A sealed copy needs its key, even if its state is empty.
  if (opened.is === "waived" && seal !== undefined) throw otherKey(location, source);
  if (opened.is === "open" && isBy(opened.sealer)) return { contents, sealer: opened.sealer };
  if (seal !== undefined)
    throw forged(location, { key: source, problem: "its seal was not made with the key that the copy records" });
  if (!acceptsUnproven) throw neverSealed(location, source);
  if (opened.is === "open") return { contents, sealer: opened.sealer };
  return { contents: withPresentKey(location, present, contents), sealer: undefined };
}

/** Changes the given contents. */
function withPresentKey({ seal }: LedgerLocation, present: Present, contents: Contents): Contents {
  if (!seal) return contents;
  const { plugin, key } = seal.recorded;
  const owner = pluginOwner(plugin);
  const value = present.contents.data.get(owner)?.get(key);
  if (value !== undefined) contents.apply({ op: "data", owner, key, value });
  return contents;
}

async function openIn(location: LedgerLocation, key: StateKey, source: string, checkpoint: Checkpoint) {
  try {
    return await key.open(untrusted(key, checkpoint));
  } catch (error) {
    throw isEngineError(error, "WRONG_PASSWORD") ? otherKey(location, source) : error;
  }
}

function otherKey({ app, stage }: LedgerLocation, source: string): EngineError {
  return new EngineError(
    "WRONG_PASSWORD",
    `"${source}" has an earlier data key of "${app}/${stage}", which the given password or key does not open. Nothing was changed. Choose another copy: "engine state history" marks those that need an earlier password or key.`,
    { fqn: `${app}/${stage}` },
  );
}

function neverSealed({ app, stage }: LedgerLocation, source: string): EngineError {
  return new EngineError(
    "STATE_FORGED",
    `"${source}" has no seal, but "${app}/${stage}" has a password or a key, so the author of the copy is unknown. Nothing was changed. If the copy is older than the seal of the state, check it and pass --unverified.`,
    { fqn: `${app}/${stage}` },
  );
}

/**
 * The author of a state, as far as its seal shows:
 *
 * - `none`: no seals. Anyone who can write to the store may have written it
 * - `unverified`: sealed, but no password or key was given to verify it
 * - `verified`: written with the key of the stage
 * - `forged`: changed without the key of the stage
 * - `other-key`: a kept copy that the given password or key does not open. It cannot be verified or restored with that
 *   one
 */
export type SealStatus = "none" | "unverified" | "verified" | "forged" | "other-key";

export interface CopySeal {
  readonly seal: Exclude<SealStatus, "forged">;
  /** True if its data key differs from the present one; undefined if unknown. */
  readonly hasOwnKey?: boolean;
}

/** Returns the seal status of a loaded state. It cannot be `forged`: loading a forged state throws. */
export function sealStatusOf({ seal }: { readonly seal: SealState }): SealStatus {
  if (typeof seal === "object") return "verified";
  return seal === "locked" ? "unverified" : "none";
}

/**
 * @param present the present state; empty if that cannot be loaded
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

/** Returns the status that proves less. */
export function weaker(one: SealStatus, other: SealStatus): SealStatus {
  const order: readonly SealStatus[] = ["forged", "none", "other-key", "unverified", "verified"];
  return order.indexOf(one) < order.indexOf(other) ? one : other;
}
