/** Sends events by PostHog's own client, of which nothing is printed, retried, or left behind. */
import type { PostHog } from "posthog-node";
import { isMissing, packageMissing } from "../../core/base/index.js";
import type { TelemetryEvent } from "../../core/contract/index.js";
import { type Answer, type PosthogFetch, posthogFetch } from "./fetch.js";

interface Project {
  readonly key: string;
  readonly host: string;
}

/** Milliseconds, for a run that goes on for longer than a service takes to answer. */
const TIMEOUT = 10_000;

/** The event in PostHog's words: of nobody in particular, and from nowhere. */
const ANONYMOUS = { $process_person_profile: false, $ip: "0.0.0.0" } as const;

const CLIENT = "posthog-node";

let isPrepared = false;

/**
 * The first client of a process takes 20 ms: better while the run is under way than at its end.
 *
 * @throws EngineError `PACKAGE_MISSING` without PostHog's client
 */
export async function prepareSender(project: Project): Promise<void> {
  if (isPrepared) return;
  await newClient(project, new Map(), () => Promise.reject(new Error("It sends nothing.")));
  isPrepared = true;
}

/** @throws what the events could not be sent for, unless they would be refused again */
export async function sendEvents(
  project: Project,
  events: readonly TelemetryEvent[],
  signal: AbortSignal,
): Promise<void> {
  const answers: Answer[] = [];
  const properties = new Map(events.map((event) => [event.uuid, event.properties]));
  const client = await newClient(project, properties, posthogFetch(signal, answers));
  const failures: unknown[] = [];
  // One of its two protocols, which a variable of the environment chooses, tells of failures only here.
  client.on("error", (error: unknown) => failures.push(error));
  for (const { name, uuid, timestamp, userId } of events) {
    client.capture({ event: name, distinctId: userId, uuid, timestamp: new Date(timestamp) });
  }
  // Not shutdown(), which prints what it fails at.
  await client.flush().catch((error: unknown) => failures.push(error));
  if (failures.length > 0 && !answers.at(-1)?.isFinal) throw failures[0];
}

/** @param properties by uuid: all that is sent, whatever the client would add of its surroundings */
async function newClient(
  { key, host }: Project,
  properties: ReadonlyMap<string, TelemetryEvent["properties"]>,
  fetch: PosthogFetch,
): Promise<PostHog> {
  const { PostHog } = await loadClient();
  return new PostHog(key, {
    host,
    fetch,
    // All at once, when flush() says so: by itself it would print what it fails at.
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
