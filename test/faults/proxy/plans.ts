/** Plans that decide which requests meet a fault. */
import { createHash } from "node:crypto";
import type { Fault, Plan } from "./fault.js";
import type { ProxyRequest } from "./request.js";

/** The first request gets the first fault, and so on; only requests that satisfy `counts` are counted. */
export function script(
  faults: readonly (Fault | undefined)[],
  counts: (request: ProxyRequest) => boolean = () => true,
): Plan {
  let next = 0;
  return (request) => (counts(request) ? faults[next++] : undefined);
}

/**
 * One of `faults` for a part of all requests, from 0 to 1. The same seed decides the same for the request of the same
 * index. A conflict is only for conditional writes; other requests pass.
 */
export function seededFaults(seed: number | string, rate: number, faults: readonly Fault[]): Plan {
  return ({ conditional }, index) => {
    const dice = createHash("sha256").update(`${seed}/${index}`).digest();
    if (dice.readUInt32BE(0) / 2 ** 32 >= rate) return undefined;
    const fault = faults[dice.readUInt32BE(4) % faults.length];
    return fault?.kind === "conflict" && !conditional ? undefined : fault;
  };
}
