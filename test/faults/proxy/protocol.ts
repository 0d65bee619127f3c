/** A protocol of the proxy's clients, as far as the proxy needs it. */
import type { ProxyRequest } from "./request.js";

export interface Protocol {
  /**
   * Length of the request that `bytes` begin with. If it is incomplete: a lower bound of its length, always more than
   * there is.
   */
  requestLength(bytes: Buffer): number;
  /** The same of a reply to a request of that kind. */
  replyLength(bytes: Buffer, kind: string | undefined): number;
  /** A whole request. */
  read(bytes: Buffer): ProxyRequest;
  /** True if a whole reply answers no request, but is an interim message. */
  isAside(reply: Buffer): boolean;
  /** A text that a client must get before it sends the rest of a request, if any. */
  urge(bytes: Buffer): string | undefined;
  refusal(kind: "error" | "slow-down" | "conflict"): string;
  /** True for a request with which each connection begins: it is repeated on another one. Absent: there is none. */
  introduces?(kind: string): boolean;
}
