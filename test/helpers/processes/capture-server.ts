/** A server that takes events as PostHog does, and that can fail in several ways. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** An event as it is sent. */
export interface Captured {
  readonly event: string;
  readonly distinct_id: string;
  readonly uuid: string;
  readonly timestamp: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** "silent" takes the request and never answers, "drips" answers with a body without end. */
export type Mood =
  | "ok"
  | "silent"
  | "drips"
  | "reset"
  | "bad JSON"
  | 400
  | 413
  | 429
  | 500
  | { readonly after: number };

export interface CaptureServer {
  readonly url: string;
  /** Events of all requests that were answered with success, in their order. */
  readonly events: readonly Captured[];
  /** Bodies of all requests. */
  readonly bodies: readonly string[];
  readonly paths: readonly string[];
  mood: Mood;
  close(): Promise<void>;
}

export async function captureServer(mood: Mood = "ok"): Promise<CaptureServer> {
  const events: Captured[] = [];
  const bodies: string[] = [];
  const paths: string[] = [];
  const state = { mood };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request);
    const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
    bodies.push(body);
    paths.push(request.url ?? "");
    const isTaken = await answer(state.mood, response);
    if (isTaken) events.push(...JSON.parse(body).batch);
  };
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    events,
    bodies,
    paths,
    get mood() {
      return state.mood;
    },
    set mood(next) {
      state.mood = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(mood: Mood, response: ServerResponse): Promise<boolean> {
  if (typeof mood === "object") {
    setTimeout(() => response.end('{"status":1}'), mood.after).unref();
    return false;
  }
  switch (mood) {
    case "silent":
      return false;
    case "reset":
      response.destroy();
      return false;
    case "drips":
      response.writeHead(200).write('{"status":');
      return true;
    case "ok":
    case "bad JSON":
      response.end(mood === "ok" ? '{"status":"Ok"}' : "<html>");
      return true;
    default:
      response.writeHead(mood).end("refused");
      return false;
  }
}
