/** The one request that PostHog's client makes, so that it can be given up at any moment and keeps no process alive. */
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { PostHogOptions } from "posthog-node";
import { lookupUntil } from "./lookup.js";

/** What the client calls. */
export type PosthogFetch = NonNullable<PostHogOptions["fetch"]>;
type Response = Awaited<ReturnType<PosthogFetch>>;

export interface Answer {
  /** The service has refused the events, and would do so again. */
  readonly isFinal: boolean;
}

/** Statuses that ask for patience. */
const LATER = [408, 425, 429];

/** @param answers what came is added here */
export function posthogFetch(signal: AbortSignal, answers: Answer[]): PosthogFetch {
  return (url, { method, headers, body, signal: own }) =>
    new Promise<Response>((resolve, reject) => {
      const request = url.startsWith("https:") ? secureRequest : plainRequest;
      const sent = request(url, {
        method,
        headers: { ...headers },
        lookup: lookupUntil(signal),
        signal: own ? AbortSignal.any([signal, own]) : signal,
      });
      sent.on("socket", (socket) => socket.unref());
      sent.on("error", reject);
      sent.on("response", (response) => {
        const { statusCode: status = 0 } = response;
        answers.push({ isFinal: status >= 400 && status < 500 && !LATER.includes(status) });
        // Only the status matters; what else comes may never end.
        response.on("error", () => {});
        response.resume();
        resolve({ status, text: async () => "", json: async () => ({}) });
      });
      sent.end(typeof body === "string" ? body : undefined);
    });
}
