/** The one request that PostHog's client makes, so that it can be given up at any moment and keeps no process alive. */
import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { PostHogOptions } from "posthog-node";
import { fetchFor, needsProxyPackage, proxyFor, proxyOptions } from "../kit/proxy.js";
import { lookupUntil } from "./lookup.js";

/** What the client calls. */
export type PosthogFetch = NonNullable<PostHogOptions["fetch"]>;

export interface Answer {
  /** The service has refused the events, and would do so again. */
  readonly isFinal: boolean;
}

/** Statuses that ask for patience. */
const LATER = [408, 425, 429];

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** @param answers what came is added here */
export function posthogFetch(signal: AbortSignal, answers: Answer[]): PosthogFetch {
  return async (url, { method, headers, body, signal: own }) => {
    const send = needsProxyPackage() && proxyFor(new URL(url)) ? viaFetch : viaRequest;
    const status = await send(url, {
      method,
      headers: { ...headers },
      body: typeof body === "string" ? body : undefined,
      signal: own ? AbortSignal.any([signal, own]) : signal,
    });
    answers.push({ isFinal: status >= 400 && status < 500 && !LATER.includes(status) });
    return { status, text: async () => "", json: async () => ({}) };
  };
}

async function viaFetch(url: string, sent: Sent): Promise<number> {
  const fetch = await fetchFor(new URL(url));
  const { status, body } = await fetch(url, { ...sent, body: sent.body ?? null });
  await body?.cancel();
  return status;
}

function viaRequest(url: string, { body, ...given }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const isSecure = url.startsWith("https:");
    const options = proxyOptions();
    const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
    const request = isSecure ? secureRequest : plainRequest;
    const sent = request(url, { ...given, agent, lookup: lookupUntil(given.signal) });
    sent.on("socket", (socket) => socket.unref());
    sent.on("error", reject);
    sent.on("response", (response) => {
      // Only the status matters; what else comes may never end.
      response.on("error", () => {});
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.end(body);
  });
}
