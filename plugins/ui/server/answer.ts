/** Answers of the server: each with the headers that keep others from using it. */
import type { ServerResponse } from "node:http";
import { EngineError, type ErrorCode, messageOf, type Redact } from "../../../core/base/index.js";
import type { Failure } from "../api/index.js";

/** Of every answer. */
export const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/** What is not answered as it was asked for. */
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

/** Where it has begun already, it just ends. No stack is told. */
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
  return { status: STATUSES[error.code] ?? 409, code: error.code, message };
}
