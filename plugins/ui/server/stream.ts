/** Sends the events of a run as server-sent events: at the speed of the page, from the kept events, without a queue. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sleep } from "../../../core/base/index.js";
import type { RunRow } from "../api/index.js";
import type { RunEvents } from "../sources/index.js";
import { HEADERS } from "./answer.js";

/** Milliseconds. */
const BATCH = 10;
const HEARTBEAT = 15_000;
/** No event reports that the process of a run is gone, or silent, so the stream checks it. */
const LOOK = 1000;

export interface Stream {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Number of events that were sent before. */
  readonly from: number;
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
}

/** Resolves when the page disconnects, or when all events are sent and the run is over. */
export async function streamEvents(run: RunEvents, { request, response, from, signal }: Stream): Promise<void> {
  const gone = new AbortController();
  const end = (): void => gone.abort();
  response.once("close", end);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  response.writeHead(200, {
    ...HEADERS,
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
  });
  request.socket.setNoDelay(true);
  response.write("retry: 1000\n\n");
  try {
    await send(run, { response, from, gone: gone.signal });
  } finally {
    signal.removeEventListener("abort", end);
    response.end();
  }
}

interface Sending {
  readonly response: ServerResponse;
  readonly from: number;
  readonly gone: AbortSignal;
}

async function send(run: RunEvents, { response, from, gone }: Sending): Promise<void> {
  let sent = from;
  let quietSince = performance.now();
  let told: RunRow["state"] = "running";
  while (!gone.aborted) {
    // Read before the count: an event between the two is sent with the next turn.
    const isOver = run.isOver;
    if (sent < run.count) {
      const events = await run.read(sent);
      sent += events.length;
      told = "running";
      quietSince = performance.now();
      if (!response.write(`id: ${sent}\ndata: [${events.join(",")}]\n\n`)) await drained(response, gone);
    } else if (isOver) {
      response.write("event: end\ndata:\n\n");
      return;
    } else {
      const state = run.row()?.state ?? "running";
      if (state !== told && !run.isOver) {
        told = state;
        response.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
      }
      if (performance.now() - quietSince > HEARTBEAT) {
        quietSince = performance.now();
        if (!response.write(": still here\n\n")) await drained(response, gone);
      }
      if (await changed(run, gone)) await sleep(BATCH, gone);
    }
  }
}

/** Returns false if nothing changed for a while. */
async function changed(run: RunEvents, gone: AbortSignal): Promise<boolean> {
  const stop = new AbortController();
  let isChanged = false;
  const off = run.onChange(() => {
    isChanged = true;
    stop.abort();
  });
  try {
    await sleep(LOOK, AbortSignal.any([stop.signal, gone]));
    return isChanged;
  } finally {
    off();
  }
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  // Rejects if the page disconnects.
  await once(response, "drain", { signal: gone }).catch(() => {});
}
