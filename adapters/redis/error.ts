import { codeOf, EngineError, isEngineError, messageOf } from "../../core/base/index.js";

/** Replies that say "not now". */
const passing = new Set(["ASK", "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MOVED", "NOREPLICAS", "TRYAGAIN"]);

/** The first word of what a server replied, e.g. "NOAUTH"; empty for errors that it did not reply. */
export function replyCode(error: unknown): string {
  if (!(error instanceof Error) || "code" in error) return "";
  return error.message.match(/^[A-Z]{2,}(?=\s|$)/)?.[0] ?? "";
}

/**
 * True where another try cannot help.
 *
 * @param hasWorked whether the server has ever answered; then one that takes no writes is in the midst of a failover
 */
export function isHopeless(error: unknown, hasWorked: boolean): boolean {
  if (isEngineError(error)) return true;
  const reply = replyCode(error);
  if (reply === "READONLY") return !hasWorked;
  if (reply !== "") return !passing.has(reply) && !messageOf(error).includes("max number of clients");
  const code = codeOf(error);
  return code === "ENOTFOUND" || isOfTls(code);
}

export function storeClosed(act: string, location: string, cause: unknown): EngineError {
  const message = `Could not ${act} in Redis, ${location}: the store was closed. Close it when nothing uses it any more.`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/**
 * @param act what was tried, e.g. "read app/dev/checkpoint/1"
 * @param tries what to say of repeated tries, e.g. " (7 tries in 30 s)"
 * @returns `cause` itself where it says all of that already
 */
export function storeFailed(act: string, location: string, cause: unknown, tries = ""): EngineError {
  if (isEngineError(cause)) return cause;
  const message = `Could not ${act} in Redis, ${location}: ${textOf(cause)}${tries}. ${adviceOn(cause)}`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/** A host with several addresses fails with one error for each of them, and no words of its own. */
function textOf(cause: unknown): string {
  const first = cause instanceof AggregateError && cause.message === "" ? cause.errors[0] : cause;
  return messageOf(first).replace(/\.?\s*$/, "");
}

const LACKS_RIGHTS = "Grant this user what the message names; the guide's page on Redis lists what is needed.";

const adviceByReply: Readonly<Record<string, string>> = {
  NOAUTH: "Give a password: redis://user:password@host.",
  WRONGPASS: "Check the user and the password.",
  NOPERM: LACKS_RIGHTS,
  READONLY: "This is a replica: name the primary, which alone has the present state.",
  OOM: "Give the server more memory (maxmemory), or make room in it; nothing was written.",
  MISCONF: "The server cannot save to its disk: look at its log and its disk.",
  LOADING: "The server is still reading its data: run again later, or raise retryTimeout.",
  CLUSTERDOWN: "The cluster lacks nodes: look at it with CLUSTER INFO.",
  MOVED: "This server is part of a cluster: name it with the option cluster instead of url.",
  NOREPLICAS: "The server wants more replicas than are there (min-replicas-to-write).",
  DENIED: "The server is in protected mode: set a password, or let it listen here.",
};

function adviceOn(cause: unknown): string {
  const message = messageOf(cause);
  const byReply = adviceByReply[replyCode(cause)];
  if (byReply !== undefined) return byReply;
  if (message.includes("executing the script can't")) return LACKS_RIGHTS;
  if (message.includes("max number of clients")) return "The server has too many clients: raise maxclients.";
  const code = codeOf(cause);
  if (code === "ENOTFOUND") return "Check the name of the host.";
  if (code.startsWith("ERR_SSL")) return "Check that the port speaks TLS (rediss://) if and only if you do.";
  if (isOfTls(code))
    return "The server's certificate is not trusted: pass { tls: { ca } }, and servername if it has another name.";
  return "Check that the server runs and can be reached, then run again.";
}

function isOfTls(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code);
}
