/** What a proxy must know of the language that its clients speak. */
import type { ProxyRequest } from "./request.js";

export interface Protocol {
  /**
   * Length of the request that `bytes` begin with. While they are not the whole of it: some length that it has at least,
   * always more than there is.
   */
  requestLength(bytes: Buffer): number;
  /** The same of a reply to a request of that kind. */
  replyLength(bytes: Buffer, kind: string | undefined): number;
  /** A whole request. */
  read(bytes: Buffer): ProxyRequest;
  /** True when a whole reply answers no request, but is only said on the way. */
  isAside(reply: Buffer): boolean;
  /** What a client must be told before it sends the rest of a request, if anything. */
  urge(bytes: Buffer): string | undefined;
  refusal(kind: "error" | "slow-down" | "conflict"): string;
}
