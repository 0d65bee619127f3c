/** The targets of DESIGN 12, and whether a row meets them. */
import type { Measured } from "./measured.js";
import type { PeerName } from "./peers.js";
import type { StageWork } from "./rows.js";

export type Target =
  /** Ours has to be so many times as fast as a peer. */
  | { readonly kind: "ratio"; readonly peer: PeerName; readonly least: number }
  | { readonly kind: "most"; readonly of: "totalMs" | "peakMb"; readonly most: number };

export interface Targeted {
  /** The rows of the target, as in the matrix. */
  readonly several: { readonly [K in keyof Omit<StageWork, "kind">]?: readonly StageWork[K][] };
  readonly targets: readonly Target[];
}

const faster = (least: number): Target => ({ kind: "ratio", peer: "alchemy", least });
const within = (most: number): Target => ({ kind: "most", of: "totalMs", most });
const peak: Target = { kind: "most", of: "peakMb", most: 600 };

export const TARGETS: readonly Targeted[] = [
  { several: { operation: ["create", "update", "destroy"], how: ["seq", "par"], n: [1_000] }, targets: [faster(20)] },
  { several: { operation: ["unchanged"], how: ["seq", "par"], n: [5_000] }, targets: [faster(10)] },
  { several: { operation: ["create", "unchanged"], n: [100], secrets: ["key"] }, targets: [faster(50)] },
  { several: { operation: ["create", "destroy"], n: [100_000] }, targets: [within(20_000), peak] },
  { several: { operation: ["unchanged"], n: [100_000] }, targets: [within(3_000), peak] },
  {
    several: { operation: ["create"], how: ["par"], n: [1_000], store: ["s3"], delay: [50] },
    targets: [within(8_000)],
  },
];

export const START_TARGETS: readonly Target[] = [within(60)];

export type Verdict = "met" | "MISSED" | "not run";

export function verdictOf(target: Target, ours: Measured | undefined, theirs: Measured | undefined): Verdict {
  if (ours === undefined) return "not run";
  if (target.kind === "most") {
    const value = ours[target.of];
    if (value === undefined) return "not run";
    return value <= target.most ? "met" : "MISSED";
  }
  if (theirs === undefined) return "not run";
  return theirs.totalMs / ours.totalMs >= target.least ? "met" : "MISSED";
}

export function targetText(target: Target): string {
  if (target.kind === "ratio") return `≥ ${target.least}×`;
  if (target.of === "peakMb") return `≤ ${target.most} MB`;
  return target.most < 1_000 ? `≤ ${target.most} ms` : `≤ ${target.most / 1_000} s`;
}
