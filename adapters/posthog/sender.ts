/** Sends events with PostHog's own client, so that it prints nothing, retries nothing, and leaves nothing running. */

import { lookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { PostHog, PostHogOptions } from "posthog-node";
import { isMissing, packageMissing } from "../../core/base/index.js";
import type { TelemetryEvent } from "../../core/contract/index.js";
import { fetchFor, needsProxyPackage, proxyFor, proxyOptions } from "../kit/proxy.js";

interface Project {
  readonly key: string;
  readonly host: string;
}

/** Timeout of a request in milliseconds, for runs that take longer than the answer of a service. */
const TIMEOUT = 10_000;

/** Properties that make an event anonymous in PostHog: without a person and an address. */
const ANONYMOUS = { $process_person_profile: false, $ip: "0.0.0.0" } as const;

const CLIENT = "posthog-node";

let isPrepared = false;

/**
 * Loads the client early: the first one of a process takes 20 ms, which is better spent during the run than at its end.
 *
 * @throws EngineError `PACKAGE_MISSING` without PostHog's client
 */
export async function prepareSender(project: Project): Promise<void> {
  if (isPrepared) return;
  await newClient(project, new Map(), () => Promise.reject(new Error("It sends nothing.")));
  isPrepared = true;
}

/** @throws the reason why the events could not be sent, unless the service would refuse them again */
export async function sendEvents(
  project: Project,
  events: readonly TelemetryEvent[],
  signal: AbortSignal,
): Promise<void> {
  const answers: Answer[] = [];
  const properties = new Map(events.map((event) => [event.uuid, event.properties]));
  const client = await newClient(project, properties, posthogFetch(signal, answers));
  const failures: unknown[] = [];
  // One of its two protocols, chosen by an environment variable, reports failures only here.
  client.on("error", (error: unknown) => failures.push(error));
  for (const { name, uuid, timestamp, userId } of events) {
    client.capture({ event: name, distinctId: userId, uuid, timestamp: new Date(timestamp) });
  }
  // Not shutdown(), which prints its failures.
  await client.flush().catch((error: unknown) => failures.push(error));
  if (failures.length > 0 && !answers.at(-1)?.isFinal) throw failures[0];
}

/** @param properties by uuid: only these are sent, without the properties that the client would add */
async function newClient(
  { key, host }: Project,
  properties: ReadonlyMap<string, TelemetryEvent["properties"]>,
  fetch: PosthogFetch,
): Promise<PostHog> {
  const { PostHog } = await loadClient();
  return new PostHog(key, {
    host,
    fetch,
    // Everything is sent by flush(), because the client would print the failures of its own flush.
    flushAt: properties.size + 1,
    flushInterval: 0,
    fetchRetryCount: 0,
    requestTimeout: TIMEOUT,
    disableCompression: true,
    disableGeoip: true,
    before_send: (event) => event && { ...event, properties: { ...properties.get(event.uuid ?? ""), ...ANONYMOUS } },
  });
}

async function loadClient(): Promise<typeof import("posthog-node")> {
  try {
    return await import("posthog-node");
  } catch (error) {
    throw isMissing(error, CLIENT) ? packageMissing(CLIENT, error) : error;
  }
}

/** Type of the client's `fetch`. */
type PosthogFetch = NonNullable<PostHogOptions["fetch"]>;

interface Answer {
  /** The service refused the events, and would refuse them again. */
  readonly isFinal: boolean;
}

/** Statuses that mean "try again later". */
const LATER = [408, 425, 429];

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns a `fetch` for the client's only request. It can be aborted at any moment, and does not keep the process
 * alive.
 *
 * @param answers receives the answers
 */
function posthogFetch(signal: AbortSignal, answers: Answer[]): PosthogFetch {
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
      // Only the status matters; the body may never end.
      response.on("error", () => {});
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.end(body);
  });
}

/** Codes that mean that the name server answered, or that there is none: then the system's lookup is fast. */
const ANSWERED = ["ENOTFOUND", "ENODATA", "ECONNREFUSED"];

/**
 * Looks up the addresses of a host until the signal aborts. The system's own lookup would keep the process alive until
 * an answer.
 */
export function lookupUntil(signal: AbortSignal, resolver: Resolver = new Resolver()): LookupFunction {
  return (host, options, callback) => {
    if (host === "localhost" || host.endsWith(".localhost")) return lookup(host, options, callback);
    find(host, signal, resolver).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error) => {
        // The name may be known only to this machine.
        if (ANSWERED.includes(error?.code) && !signal.aborted) lookup(host, options, callback);
        else callback(error, "");
      },
    );
  };
}

async function find(host: string, signal: AbortSignal, resolver: Resolver): Promise<readonly string[]> {
  signal.throwIfAborted();
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await resolver.resolve4(host).catch((error: unknown) => {
      // An aborted query is not an answer.
      if (signal.aborted) throw error;
      return resolver.resolve6(host);
    });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
