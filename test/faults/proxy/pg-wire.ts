/** The protocol of PostgreSQL, version 3, without TLS. */
import type { Protocol } from "./protocol.js";

/** Kinds of requests with which a client introduces itself, or ends the connection. */
const STARTUP = "STARTUP";
const PASSWORD = "PASSWORD";
const BYE = "BYE";

/** The last message of a request: a sync, a simple query, a password, the end. */
const LAST = new Set(["S", "Q", "p", "X"]);

/** Messages that a server may send unasked: a notice, a changed setting, a notification. */
const ASIDE = new Set(["N", "S", "A"]);

export const pgWire: Protocol = {
  // Only the first message of a connection has no type: it begins with its length.
  requestLength: (bytes) => (bytes[0] === 0 ? lengthAt(bytes, 0) : endOf(bytes, ({ type }) => LAST.has(type))),
  replyLength: (bytes, kind) => {
    if (kind === undefined) return endOf(bytes, () => true);
    const isGreeting = kind === STARTUP || kind === PASSWORD;
    return endOf(
      bytes,
      ({ type, start }) => type === "Z" || (isGreeting && (type === "E" || isDemand(bytes, type, start))),
    );
  },
  read: (bytes) => {
    const sql = textOf(bytes);
    const kind = kindOf(bytes, sql);
    return {
      kind,
      target: sql,
      query: new URLSearchParams(),
      words: [kind, sql],
      conditional: kind === "WITH",
      size: bytes.length,
      isGreeting: [STARTUP, PASSWORD, BYE].includes(kind),
    };
  },
  isAside: (reply) => ASIDE.has(typeAt(reply, 0)) && lengthAt(reply, 1) + 1 === reply.length,
  urge: () => undefined,
  refusal: (kind) => {
    switch (kind) {
      case "error":
        return refusal("XX000", "internal error");
      case "slow-down":
        return refusal("53300", "sorry, too many clients already");
      case "conflict":
        return refusal("40001", "could not serialize access");
    }
  },
  introduces: (kind) => kind === STARTUP,
};

interface Message {
  readonly type: string;
  readonly start: number;
}

const typeAt = (bytes: Buffer, at: number): string => bytes.toString("latin1", at, at + 1);

/** If it is not known yet, more than there is. */
function lengthAt(bytes: Buffer, at: number): number {
  return bytes.length < at + 4 ? bytes.length + 1 : bytes.readInt32BE(at);
}

/** End of the first message that is the last one; if it is not known yet, more than there is. */
function endOf(bytes: Buffer, isLast: (message: Message) => boolean): number {
  for (let start = 0; start < bytes.length; ) {
    if (bytes.length < start + 5) return bytes.length + 1;
    const end = start + 1 + lengthAt(bytes, start + 1);
    if (end > bytes.length) return end;
    if (isLast({ type: typeAt(bytes, start), start })) return end;
    start = end;
  }
  return bytes.length + 1;
}

/** A demand for a password: any message about authentication but the last two, which the client does not answer. */
function isDemand(bytes: Buffer, type: string, start: number): boolean {
  return type === "R" && ![0, 12].includes(bytes.readInt32BE(start + 5));
}

function kindOf(bytes: Buffer, sql: string): string {
  if (bytes[0] === 0) return STARTUP;
  const type = typeAt(bytes, 0);
  if (type === "p") return PASSWORD;
  return type === "X" ? BYE : (/^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? type);
}

/** The text of a statement: that of a parse, after the name of the statement, or of a simple query. */
function textOf(bytes: Buffer): string {
  const type = typeAt(bytes, 0);
  if (type !== "P" && type !== "Q") return "";
  const start = type === "Q" ? 5 : bytes.indexOf(0, 5) + 1;
  return bytes.toString("utf8", start, bytes.indexOf(0, start));
}

function refusal(code: string, text: string): string {
  const fields = `SERROR\0VERROR\0C${code}\0M${text}\0\0`;
  return `E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}Z\0\0\0\u0005I`;
}
