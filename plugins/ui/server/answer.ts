/** Responses of the server, with the headers that protect them from other sites. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { EngineError, type ErrorCode, messageOf, ownFile, type Redact } from "../../../core/base/index.js";
import type { Failure } from "../api/index.js";
import { Missing } from "../sources/index.js";

/** Headers of every response. */
export const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/** A request that the server refuses. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

type Headers = Readonly<Record<string, string>>;

export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Headers = {}): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
  });
  response.end(body);
}

export function sendNothing(response: ServerResponse): void {
  response.writeHead(204, HEADERS).end();
}

/** Sends a failure without a stack. A response that has already begun just ends. */
export function sendFailure(response: ServerResponse, error: unknown, redact: Redact): void {
  if (response.headersSent) return void response.destroy();
  const { status, ...failure } = failureOf(error, redact);
  sendJson(response, status, failure);
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  NOT_RECORDED: 404,
  INVALID_ARGUMENT: 400,
  INVALID_NAME: 400,
  INVALID_OPTION: 400,
  STORE_FAILED: 502,
};

function failureOf(error: unknown, redact: Redact): Failure & { readonly status: number } {
  if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message };
  const message = redact(messageOf(error));
  if (!(error instanceof EngineError)) return { status: 500, code: "FAILED", message };
  const near = error instanceof Missing && { near: error.near };
  return { status: STATUSES[error.code] ?? 409, code: error.code, message, ...near };
}

/** Bytes. */
const LARGEST = 10_000;

/** Returns the members of a JSON object. @throws Refusal 400, 413 */
export async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST) throw new Refusal(413, "BODY_TOO_LARGE", "The body is too large.");
    chunks.push(bytes);
  }
  const value = parsed(Buffer.concat(chunks).toString());
  if (typeof value === "object" && value !== null) return { ...value };
  throw new Refusal(400, "INVALID_BODY", "The body is not a JSON object.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The place of a run in the page. */
const PLACE = "<!--run-->";

/** The page's file in the built package. */
const PAGE = "dist/plugins/ui/page/index.html";

/** A page and its policy. */
export interface Page {
  readonly html: string;
  /** Value of the header `Content-Security-Policy`. */
  readonly policy: string;
}

/** @throws EngineError `INVALID_CALL` if the package was not built */
export async function builtPage(file = ownFile(PAGE)): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    const message = `The page is missing: "${fileURLToPath(file)}". Build the package, or install it again.`;
    throw new EngineError("INVALID_CALL", message, { cause });
  });
}

/** The page runs only its own scripts, and connects only to its own server. */
export function pageOf(html: string): Page {
  return { html, policy: `${policyOf(html)}; connect-src 'self'; frame-ancestors 'none'` };
}

/**
 * Returns the page with the events of runs in it. It needs no server: one file that can be stored and sent.
 *
 * @param events as JSON
 */
export function pageWithEvents(html: string, events: readonly string[]): string {
  // No event can close the script element, or begin a comment.
  const data = `[${events.join(",\n")}]`.replaceAll("<", "\\u003c");
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`;
  const element = `<script type="application/json" id="run">${data}</script>`;
  const head = html.search(/<head[^>]*>/i);
  const at = html.indexOf(PLACE);
  if (head < 0 || at < head) throw new EngineError("INVALID_CALL", "The page has no place for a run.");
  const afterHead = html.indexOf(">", head) + 1;
  return `${html.slice(0, afterHead)}${policy}${html.slice(afterHead, at)}${element}${html.slice(at + PLACE.length)}`;
}

function policyOf(html: string): string {
  const [scripts, styles] = [hashesOf(html, "script"), hashesOf(html, "style")];
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    `style-src ${styles.join(" ") || "'none'"}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashesOf(html: string, element: "script" | "style"): readonly string[] {
  const found = html.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`, "gi"));
  return [...found].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}
