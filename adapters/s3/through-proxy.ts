/** Requests of a client through the proxy that the environment names, where Node's own agents cannot go there. */
import type { S3Client } from "@aws-sdk/client-s3";
import { throughProxy } from "../kit/proxy.js";

/** As the SDK gives it to what sends it. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** The client's own handler keeps the requests to which no proxy applies. */
export function sendThroughProxy({ config: { requestHandler: handler } }: S3Client): void {
  const direct = handler.handle.bind(handler);
  handler.handle = async (request: SignedRequest, options = {}) => {
    const { protocol, hostname, port, method, headers, body = null } = request;
    const origin = `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`;
    const through = await throughProxy(new URL(origin));
    if (!through) return direct(request, options);
    const signal: unknown = Reflect.get(options, "abortSignal");
    const answer = await through.agent.request({
      origin,
      path: targetOf(request),
      method,
      headers,
      body,
      signal: signal ?? null,
    });
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(", ")]);
    return { response: { statusCode: answer.statusCode, headers: Object.fromEntries(fields), body: answer.body } };
  };
}

/** Path and query as they were signed: in the order of the names, escaped as S3 wants it. */
function targetOf({ path, query = {} }: SignedRequest): string {
  const pairs = Object.keys(query)
    .sort()
    .flatMap((name) => {
      const value = query[name];
      if (value === null || value === undefined) return escaped(name);
      return [value].flat().map((one) => `${escaped(name)}=${escaped(one)}`);
    });
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
