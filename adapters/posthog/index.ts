/** Sink for telemetry to a project in PostHog or a compatible service. */
import { createHash } from "node:crypto";
import { checkGiven, isText, type RulesOf } from "../../core/base/index.js";
import type { TelemetrySink } from "../../core/contract/index.js";

/** Options of {@link posthogSink}. */
export interface PosthogSinkOptions {
  /** Key of the project. It is not a secret, because it can only add events. */
  readonly key: string;
  /** Address of the service. Default: that of PostHog in the US. */
  readonly host?: string;
}

const US = "https://us.i.posthog.com";

const RULES: RulesOf<PosthogSinkOptions> = {
  key: {
    allowed: "the key of a project, such as phc_…",
    isRequired: true,
    accepts: (value) => isText(value) && value.trim() !== "",
  },
  host: { allowed: "an address such as https://eu.i.posthog.com", accepts: isAddress },
};

/**
 * Returns the `telemetry` option for events to a project in PostHog. The package `posthog-node`, which you install
 * yourself (`npm install posthog-node`), is loaded when there is something to send. Without it, a run reports this and
 * sends nothing.
 *
 * @throws EngineError `INVALID_OPTION` for an empty key, or a host that is not an address
 * @example
 * ```ts
 * await engine("my-app", { telemetry: posthogSink({ key: "phc_…", host: "https://eu.i.posthog.com" }) });
 * ```
 */
export function posthogSink(options: PosthogSinkOptions): TelemetrySink {
  checkGiven("posthogSink", options, RULES);
  const { host = US } = options;
  const key = options.key.trim();
  const load = () => import("./sender.js");
  return {
    name: `posthog-${createHash("sha256").update(`${key} ${host}`).digest("hex").slice(0, 16)}`,
    async prepare(signal) {
      const { prepareSender } = await load();
      if (!signal.aborted) await prepareSender({ key, host });
    },
    async send(events, signal) {
      const { sendEvents } = await load();
      signal.throwIfAborted();
      await sendEvents({ key, host }, events, signal);
    },
  };
}

function isAddress(host: unknown): boolean {
  if (typeof host !== "string" || !URL.canParse(host)) return false;
  return ["http:", "https:"].includes(new URL(host).protocol);
}
