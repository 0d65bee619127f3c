/** A request as the proxy sees it; a Redis command is one, too. */
export interface ProxyRequest {
  /** The method, or the command, in capitals: "PUT", "SET". */
  readonly kind: string;
  /** The path, as it was sent; or the command's first argument, which is usually a key. */
  readonly target: string;
  /** Empty for Redis. */
  readonly query: URLSearchParams;
  /** The command and its arguments; empty for HTTP. */
  readonly words: readonly string[];
  /** True for a write with `If-None-Match`. */
  readonly conditional: boolean;
  /** Bytes of the body, or of all words. */
  readonly size: number;
  /** True for the greeting of a client; no fault is planned for that. */
  readonly isGreeting: boolean;
}
