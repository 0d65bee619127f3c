/** Sends requests to the server. Answers have the types of the contract, because both sides are built together. */
import type { Answer, Failure, FleetOrder, Opened, Started } from "../../api/index.js";
import { KEY_HEADER } from "../../api/index.js";
import { forgetKey, keepKey, keyOfTab } from "./key.js";

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await reached(`/api/${path}`, { signal, headers: { accept: "application/json" } });
  const answer: T = await response.json();
  return answer;
}

export async function lookForDrift(app: string, stage: string): Promise<Started> {
  const response = await reached(`/api/${stagePath(app, stage)}/drift`, posted({}));
  const started: Started = await response.json();
  return started;
}

export async function answerQuestion(run: string, answer: Answer): Promise<void> {
  await reached(`/api/runs/${encodeURIComponent(run)}/answer`, posted(answer));
}

export async function askFleet(fleet: string, order: FleetOrder): Promise<void> {
  await reached(`/api/${fleetPath(fleet)}/request`, posted(order));
}

export async function openSession(token: string): Promise<void> {
  const response = await reached("/api/session", posted({ token }));
  const opened: Opened = await response.json();
  keepKey(opened);
}

/** Returns the events of a run as text, in parts as they arrive. @param from number of known events */
export async function eventsOfRun(run: string, from: number, signal: AbortSignal): Promise<ReadableStream<string>> {
  const { body } = await reached(`/api/runs/${encodeURIComponent(run)}/events?from=${from}`, { signal });
  return (body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()).pipeThrough(new TextDecoderStream());
}

export function fleetPath(fleet: string): string {
  return `fleets/${encodeURIComponent(fleet)}`;
}

export function stagePath(app: string, stage: string): string {
  return `stages/${encodeURIComponent(app)}/${encodeURIComponent(stage)}`;
}

function posted(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function reached(path: string, init: RequestInit): Promise<Response> {
  const key = keyOfTab();
  const headers = { ...init.headers, ...(key !== undefined && { [KEY_HEADER]: key }) };
  const asked = fetch(path, { ...init, headers, credentials: "same-origin", cache: "no-store" });
  const response = await asked.catch((error: unknown) => {
    throw init.signal?.aborted ? error : unreachable(error);
  });
  if (!response.ok) {
    const failure = await failureIn(response);
    if (failure.code === "NO_SESSION") forgetKey();
    throw new AskFailed(failure, response.status);
  }
  return response;
}

function unreachable(cause: unknown): AskFailed {
  const message = "The server does not answer. It may have stopped.";
  return new AskFailed({ code: "UNREACHABLE", message }, 0, { cause });
}

async function failureIn(response: Response): Promise<Failure> {
  const fallback = { code: `HTTP_${response.status}`, message: `The server answered ${response.status}.` };
  const body: Partial<Failure> | undefined = await response.json().catch(() => undefined);
  return { ...fallback, ...body };
}

/** The reason for a missing answer. */
export class AskFailed extends Error {
  readonly failure: Failure;
  readonly status: number;

  constructor(failure: Failure, status: number, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
    this.status = status;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof AskFailed) return error.failure;
  return { code: "UNREACHABLE", message: error instanceof Error ? error.message : String(error) };
}
