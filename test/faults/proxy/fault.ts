/** Faults that a proxy inflicts on a request. */
import type { ProxyRequest } from "./request.js";

/** Refuses in the server's name; `forwarded`: only after the server has done it. */
interface Refusal {
  /** 500, or `ERR`; 503 `SlowDown`, or `BUSY`; 409 `ConditionalRequestConflict`, or `TRYAGAIN`. */
  readonly kind: "error" | "slow-down" | "conflict";
  readonly forwarded?: boolean;
}

/** Answers with these bytes; `forwarded`: only after the server has done it. */
interface Says {
  readonly kind: "says";
  readonly reply: string;
  readonly forwarded?: boolean;
}

/** Neither answers nor takes another request on the connection; `forwarded`: the server has done it. */
interface Timeout {
  readonly kind: "timeout";
  readonly forwarded?: boolean;
}

interface Cut {
  /**
   * The connection is reset: before anything is forwarded; after the server has answered, which the client does not
   * see; or in the middle of the reply.
   */
  readonly kind: "reset-before" | "reset-after" | "truncated";
}

/**
 * Holds the request, or the reply, for so many milliseconds. A request is forwarded even if its client is gone by then.
 */
interface Delayed {
  readonly kind: "delayed";
  readonly side: "request" | "reply";
  readonly by: number;
}

/** The server gets it twice, one after the other, and the client gets the second reply. */
interface Duplicated {
  readonly kind: "duplicated";
}

/**
 * The server gets it again, on another connection, after the client has its reply and so many milliseconds or this have
 * passed.
 */
interface LateDuplicate {
  readonly kind: "late-duplicate";
  readonly after: number | Promise<unknown>;
}

export type Fault = Refusal | Says | Timeout | Cut | Delayed | Duplicated | LateDuplicate;

/** Decides on each request; the first one since the plan was set has the index 0. */
export type Plan = (request: ProxyRequest, index: number) => Fault | undefined;

/** True if the server gets the request. */
export function isForwarded(fault: Fault | undefined): boolean {
  switch (fault?.kind) {
    case "error":
    case "slow-down":
    case "conflict":
    case "says":
    case "timeout":
      return fault.forwarded === true;
    case "reset-before":
      return false;
    default:
      return true;
  }
}

/** True if the connection cannot be used afterwards. */
export function isFatal(fault: Fault | undefined): boolean {
  switch (fault?.kind) {
    case "timeout":
    case "reset-before":
    case "reset-after":
    case "truncated":
      return true;
    default:
      return false;
  }
}
