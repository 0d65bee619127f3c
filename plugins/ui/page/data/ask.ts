/** Asks the server; answers are what the contract says, for both sides are built together. */
import type { Answer, Failure, Started } from "../../api/index.js";
import { AskFailed } from "./failure.js";

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await reached(`/api/${path}`, { signal, headers: { accept: "application/json" } });
  const answer: T = await response.json();
  return answer;
}

export async function lookForDrift(app: string, stage: string): Promise<Started> {
  const response = await reached(`/api/${stagePath(app, stage)}/drift`, { method: "POST" });
  const started: Started = await response.json();
  return started;
}

export async function answerQuestion(run: string, answer: Answer): Promise<void> {
  await reached(`/api/runs/${encodeURIComponent(run)}/answer`, posted(answer));
}

export async function openSession(token: string): Promise<void> {
  await reached("/api/session", posted({ token }));
}

export function stagePath(app: string, stage: string): string {
  return `stages/${encodeURIComponent(app)}/${encodeURIComponent(stage)}`;
}

function posted(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function reached(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...init, credentials: "same-origin", cache: "no-store" }).catch(
    (error: unknown) => {
      throw init.signal?.aborted ? error : unreachable(error);
    },
  );
  if (!response.ok) {
    const { code, message } = await failureIn(response);
    throw new AskFailed(message, code, response.status);
  }
  return response;
}

function unreachable(cause: unknown): AskFailed {
  return new AskFailed("The server does not answer. It may have ended.", "UNREACHABLE", 0, { cause });
}

async function failureIn(response: Response): Promise<Failure> {
  const fallback = { code: `HTTP_${response.status}`, message: `The server answered ${response.status}.` };
  const body: Partial<Failure> | undefined = await response.json().catch(() => undefined);
  return { ...fallback, ...body };
}
