/** HTTP/1.1, as S3 speaks it. */
import type { Protocol } from "./protocol.js";

const headEnd = "\r\n\r\n";

interface Head {
  readonly first: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly length: number;
}

export const http: Protocol = {
  requestLength: (bytes) => messageLength(bytes, () => false),
  replyLength: (bytes, kind) =>
    messageLength(bytes, ({ first }) => kind === "HEAD" || /^HTTP\/1\.1 (1\d\d|204|304) /.test(first)),
  read: (bytes) => {
    const { first, headers, length } = headOf(bytes) ?? { first: "", headers: new Map(), length: 0 };
    const [kind = "", address = ""] = first.split(" ");
    const [target = "", query = ""] = address.split("?");
    return {
      kind,
      target,
      query: new URLSearchParams(query),
      words: [],
      conditional: kind === "PUT" && headers.has("if-none-match"),
      size: bytes.length - length,
      isGreeting: false,
    };
  },
  isAside: (reply) => reply.toString("latin1", 0, 10).startsWith("HTTP/1.1 1"),
  urge: (bytes) => {
    const expected = headOf(bytes)?.headers.get("expect");
    return expected?.toLowerCase() === "100-continue" ? `HTTP/1.1 100 Continue${headEnd}` : undefined;
  },
  refusal: (kind) => {
    switch (kind) {
      case "error":
        return reply(
          "500 Internal Server Error",
          "InternalError",
          "We encountered an internal error. Please try again.",
        );
      case "slow-down":
        return reply("503 Slow Down", "SlowDown", "Please reduce your request rate.");
      case "conflict":
        return reply("409 Conflict", "ConditionalRequestConflict", "A conflicting operation occurred.");
    }
  },
};

function reply(status: string, code: string, message: string): string {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return `HTTP/1.1 ${status}\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}${headEnd}${body}`;
}

function messageLength(bytes: Buffer, isBodiless: (head: Head) => boolean): number {
  const head = headOf(bytes);
  if (!head) return bytes.length + 1;
  if (isBodiless(head)) return head.length;
  if (head.headers.get("transfer-encoding")?.toLowerCase() === "chunked") return chunkedLength(bytes, head.length);
  return head.length + Number(head.headers.get("content-length") ?? 0);
}

/** Chunks, then trailers, then an empty line. */
function chunkedLength(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return bytes.length + 1;
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (size === 0) {
      const last = bytes.indexOf(headEnd, end);
      return last < 0 ? bytes.length + 1 : last + headEnd.length;
    }
    at = end + 2 + size + 2;
    if (at > bytes.length) return at;
  }
}

function headOf(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const [name = ""] = line.split(":", 1);
    return [name.toLowerCase(), line.slice(name.length + 1).trim()];
  });
  return { first, headers: new Map(headers), length: end + headEnd.length };
}
