/** RESP, the protocol of Redis, versions 2 and 3. */
import type { Protocol } from "./protocol.js";

/** Commands with which a client introduces itself, and keeps its connection. */
const greetings = new Set(["HELLO", "AUTH", "CLIENT", "SELECT", "PING", "READONLY", "QUIT"]);

export const resp: Protocol = {
  requestLength: (bytes) => valueEnd(bytes, 0),
  replyLength: (bytes) => valueEnd(bytes, 0),
  read: (bytes) => {
    const words = wordsOf(bytes);
    const kind = words[0]?.toUpperCase() ?? "";
    return {
      kind,
      target: words[1] ?? "",
      query: new URLSearchParams(),
      words,
      conditional: false,
      size: words.reduce((sum, word) => sum + Buffer.byteLength(word), 0),
      isGreeting: greetings.has(kind),
    };
  },
  // A push.
  isAside: (reply) => reply.toString("latin1", 0, 1) === ">",
  urge: () => undefined,
  refusal: (kind) => {
    switch (kind) {
      case "error":
        return "-ERR internal error\r\n";
      case "slow-down":
        return "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n";
      case "conflict":
        return "-TRYAGAIN Multiple keys request during rehashing of slot\r\n";
    }
  },
};

/** End of the value that begins at `start`; if it is not known yet, more than there is. */
function valueEnd(bytes: Buffer, start: number): number {
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return bytes.length + 1;
  const body = lineEnd + 2;
  const count = Number(bytes.toString("latin1", start + 1, lineEnd));
  switch (bytes.toString("latin1", start, start + 1)) {
    case "$":
    case "=":
    case "!":
      return count < 0 ? body : body + count + 2;
    case "*":
    case "~":
    case ">":
      return valuesEnd(bytes, body, count);
    case "%":
      return valuesEnd(bytes, body, 2 * count);
    case "|":
      // Attributes precede the value that they belong to.
      return valuesEnd(bytes, body, 2 * count + 1);
    default:
      return body;
  }
}

function valuesEnd(bytes: Buffer, start: number, count: number): number {
  let end = start;
  for (let index = 0; index < count; index++) {
    if (end >= bytes.length) return bytes.length + 1;
    end = valueEnd(bytes, end);
    if (end > bytes.length) return end;
  }
  return end;
}

/** The bulk strings of an array; or the words of a line, as people type them. */
function wordsOf(bytes: Buffer): string[] {
  if (bytes.toString("latin1", 0, 1) !== "*") return bytes.toString("utf8").trim().split(/\s+/);
  const words: string[] = [];
  for (let at = bytes.indexOf("\r\n") + 2; at < bytes.length; ) {
    const start = bytes.indexOf("\r\n", at) + 2;
    const end = valueEnd(bytes, at);
    words.push(bytes.toString("utf8", start, end - 2));
    at = end;
  }
  return words;
}
