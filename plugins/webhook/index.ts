/** Reports the ends of runs to a chat or another service that takes JSON. */

import { fetchFor } from "../../adapters/kit/proxy.js";
import { callback, checkGiven, EngineError, flag, isEngineError, required, text } from "../../core/base/index.js";
import type { AnyEvent, EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

/** A reported event: the end of a run, or a plan. */
export type WebhookEvent = Extract<AnyEvent, { type: "run:finished" | "run:failed" | "plan:made" }>;

/** Options of {@link webhook}. */
export interface WebhookOptions {
  /** URL to send to, e.g. an incoming webhook of Slack. It is a secret: no message of the engine contains it. */
  readonly url: string;
  /** Returns the JSON to send, or undefined to send nothing. Default: `{ text }`, as Slack takes it. */
  readonly format?: (event: WebhookEvent) => object | undefined;
  /** Reports plans as well. Default: false. */
  readonly plans?: boolean;
}

// Milliseconds for an answer, and for pending deliveries at the end of the process.
const TIMEOUTS = { answer: 5000, end: 2000 };
const NO_URL = "webhook() needs an http or https URL. Pass { url }, or leave the plugin out.";

/**
 * Sends a message at the end of each run that may change something. A failed delivery is a warning, not a failure of
 * the run.
 */
export function webhook(options: WebhookOptions): EnginePlugin {
  checkGiven("webhook", options, { url: required(text), format: callback, plans: flag });
  const { format = slackMessage, plans = false } = options;
  const url = options.url.trim();
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw new EngineError("INVALID_OPTION", NO_URL);
  return definePlugin({
    name: "webhook",
    apply({ hooks, events, warn }) {
      const underWay = new Map<Promise<void>, AbortController>();
      const deliver = async ({ app, stage }: WebhookEvent, body: string, stop: AbortController): Promise<void> => {
        const timer = setTimeout(() => stop.abort(), TIMEOUTS.answer);
        const first = await post(url, body, stop.signal);
        const problem = first && !stop.signal.aborted ? await post(url, body, stop.signal) : first;
        clearTimeout(timer);
        if (problem)
          warn("WEBHOOK_FAILED", `The webhook did not confirm the message about "${app}/${stage}": ${problem}.`);
      };
      events.on("*", (_type, event) => {
        if (event.type !== "run:finished" && event.type !== "run:failed" && event.type !== "plan:made") return;
        if (event.type === "plan:made" ? !plans : event.planned || event.phase === "read") return;
        const message = format(event);
        if (message === undefined) return;
        const stop = new AbortController();
        const delivery = deliver(event, JSON.stringify(message), stop).finally(() => underWay.delete(delivery));
        underWay.set(delivery, stop);
      });
      hooks.redact.tap("webhook", (context) => ({ ...context, text: context.text.replaceAll(url, "(webhook)") }));
      hooks.cleanup.tapPromise("webhook", async () => {
        const timer = setTimeout(() => [...underWay.values()].map((stop) => stop.abort()), TIMEOUTS.end);
        await Promise.all(underWay.keys());
        clearTimeout(timer);
      });
    },
  });
}

/** Returns the problem, or an empty text. Never quotes messages of others, which may contain the URL. */
async function post(url: string, body: string, signal: AbortSignal): Promise<string> {
  try {
    const fetch = await fetchFor(new URL(url));
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body, signal });
    await answer.body?.cancel();
    return answer.ok ? "" : `it answered ${answer.status}`;
  } catch (error) {
    if (isEngineError(error)) return error.message.replace(/\.$/, "");
    const { code } = Object(Object(error).cause);
    return signal.aborted
      ? "it did not answer in time"
      : `it cannot be reached${code === undefined ? "" : ` (${code})`}`;
  }
}

function slackMessage(event: WebhookEvent): object {
  const failures = event.type === "run:failed" ? [event] : event.errors;
  const lines = failures.slice(0, 10).map(({ code, message }) => `• ${code}: ${message.slice(0, 500)}`);
  const text = [`*${event.app}/${event.stage}*: ${headOf(event)}`, ...lines].join("\n");
  return { text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") };
}

function headOf(event: WebhookEvent): string {
  if (event.type === "plan:made") {
    const certain = shown(event.counts);
    return `a plan: ${[...certain, ...shown(event.uncertain).map((one) => `perhaps ${one}`)].join(", ") || "nothing to do"}`;
  }
  const said = shown("summary" in event ? { ...event.summary } : {}).join(", ") || "nothing done";
  const by = `by ${event.by.user}@${event.by.host} ${event.by.ci ?? ""}`.trimEnd();
  if (event.type === "run:failed") return `${event.phase} ${by} could not start`;
  return `${event.phase} ${event.ok ? "done" : event.interrupted ? "interrupted" : "failed"} in ${(event.duration / 1000).toFixed(1)} s ${by}: ${said}`;
}

function shown(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts).flatMap(([of, n]) => (n > 0 ? `${n} ${of.replace("B", " b")}` : []));
}
