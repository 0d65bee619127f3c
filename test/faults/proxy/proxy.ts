/** Stands between a client and a real server, over real sockets, and treats requests as a plan says. */
import { once, setMaxListeners } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Counter, type Counts } from "./counts.js";
import type { Fault, Plan } from "./fault.js";
import { http } from "./http.js";
import { Link } from "./link.js";
import { pgWire } from "./pg-wire.js";
import type { ProxyRequest } from "./request.js";
import { resp } from "./resp.js";

/** Each with the port of its servers. */
const PROTOCOLS = {
  http: { protocol: http, port: 80 },
  redis: { protocol: resp, port: 6379 },
  postgres: { protocol: pgWire, port: 5432 },
};

export interface ProxyOptions {
  /** The server's URL. */
  readonly target: string;
  readonly protocol: keyof typeof PROTOCOLS;
  /** Default: everything goes through. */
  readonly plan?: Plan;
  /** Milliseconds added to each round trip. */
  readonly latency?: number;
  /** Waits so many milliseconds. Default: real ones, until the proxy is closed. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface FaultyProxy {
  /** The URL for clients, in place of the server's. */
  readonly url: string;
  readonly port: number;
  /** Traffic since the start, or since `recount`. */
  readonly counts: Counts;
  /** Setting it counts requests from 0 again. Undefined: everything goes through. */
  plan: Plan | undefined;
  latency: number;
  /** True if the server has still to answer, or to be sent, something. */
  readonly isBusy: boolean;
  recount(): void;
  /** Cuts all connections and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Resolves when the server has answered all requests, including those that are still to be sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy({ target, protocol, plan, latency = 0, pause }: ProxyOptions): Promise<FaultyProxy> {
  const url = new URL(target);
  const address = { host: url.hostname, port: Number(url.port || PROTOCOLS[protocol].port) };
  const counter = new Counter();
  const links = new Map<Link, Socket>();
  const work = new Set<Promise<unknown>>();
  const ending = new AbortController();
  // Each connection, and each request that waits, listens.
  setMaxListeners(0, ending.signal);
  const current = { plan, latency, index: 0 };

  const faultFor = (request: ProxyRequest): Fault | undefined =>
    request.isGreeting ? undefined : current.plan?.(request, current.index++);
  const track = (one: Promise<unknown>): void => {
    const tracked = one.catch(() => {}).finally(() => work.delete(tracked));
    work.add(tracked);
  };
  const accept = (client: Socket): void => {
    counter.connection();
    const link = new Link(client, {
      address,
      protocol: PROTOCOLS[protocol].protocol,
      counter,
      latency: () => current.latency,
      faultFor,
      track,
      pause: pause ?? ((milliseconds) => setTimeout(milliseconds, undefined, { signal: ending.signal })),
      signal: ending.signal,
    });
    links.set(link, client);
    client.once("close", () => links.delete(link));
  };

  let server: Server | undefined = await listen(accept, 0);
  const port = portOf(server);
  url.host = `127.0.0.1:${port}`;

  const down = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    // Accepts no new connections while the open ones are closed.
    const closed = closing && once(closing, "close");
    closing?.close();
    const gone = [...links.values()].map((client) => once(client, "close"));
    for (const link of links.keys()) link.cut();
    await Promise.all([...gone, closed]);
  };

  return {
    url: url.href.replace(/\/$/, ""),
    port,
    get counts() {
      return counter.counts;
    },
    get plan() {
      return current.plan;
    },
    set plan(next) {
      Object.assign(current, { plan: next, index: 0 });
    },
    get latency() {
      return current.latency;
    },
    set latency(milliseconds) {
      current.latency = milliseconds;
    },
    get isBusy() {
      return work.size > 0;
    },
    recount: () => counter.reset(),
    down,
    up: async () => {
      server ??= await listen(accept, port);
    },
    settled: async () => {
      while (work.size > 0) await Promise.all(work);
    },
    close: async () => {
      ending.abort();
      await down();
    },
  };
}

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The proxy does not listen.");
  return address.port;
}
