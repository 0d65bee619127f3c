/** The HTTP server of the page, on this machine only. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { EngineError, hasCode, ignore, messageOf, ownVersion } from "../../../core/base/index.js";
import type { Opened } from "../api/index.js";
import { duringRequest } from "../sources/index.js";
import { bodyOf, HEADERS, type Page, pageOf, sendFailure, sendJson, sendNothing } from "./answer.js";
import { checkJson, checkOrigin, checkRequest, Session } from "./guards.js";
import { aboutOf, answerOf, type UiSource } from "./routes.js";
import { streamEvents } from "./stream.js";

const ADDRESS = "127.0.0.1";

export interface ServerOptions {
  /** Default: a free port. */
  readonly port?: number | undefined;
  /** Default: read-only. */
  readonly allowChanges?: boolean | undefined;
  /** The page's HTML. */
  readonly html: string;
}

export interface UiServer {
  readonly port: number;
  /** Returns a URL with the token. @param to a view of the page, e.g. `/stages` */
  url(to?: string): string;
  /** Number of event streams that pages have open. */
  readonly watching: number;
  /** Keeps the process alive as long as the server. */
  hold(): void;
  /** Does not keep the process alive any more. */
  release(): void;
  /** Resolves when all connections are closed. */
  close(): Promise<void>;
}

/** @throws EngineError `INVALID_OPTION` if the port is in use, or cannot be opened */
export async function startServer(source: UiSource, options: ServerOptions): Promise<UiServer> {
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 30_000 });
  server.listen({ host: ADDRESS, port: options.port ?? 0, exclusive: true });
  try {
    await once(server, "listening");
  } catch (error) {
    throw noPort(options.port, error);
  }
  return new PageServer(server, source, options);
}

class PageServer implements UiServer {
  readonly port: number;
  readonly #server: Server;
  readonly #source: UiSource;
  readonly #page: Page;
  readonly #allowsChanges: boolean;
  readonly #session: Session;
  readonly #end = new AbortController();
  #watching = 0;
  #isHeld = true;

  constructor(server: Server, source: UiSource, { html, allowChanges = false }: ServerOptions) {
    const address = server.address();
    this.port = typeof address === "object" && address ? address.port : 0;
    this.#server = server;
    this.#source = source;
    this.#page = pageOf(html);
    this.#allowsChanges = allowChanges;
    this.#session = new Session(this.port);
    server.on("connection", (socket) => {
      if (!this.#isHeld) socket.unref();
    });
    server.on("request", (request, response) => void this.#take(request, response));
  }

  url(to = "/"): string {
    return `http://${ADDRESS}:${this.port}/#token=${this.#session.token}&to=${encodeURIComponent(to)}`;
  }

  get watching(): number {
    return this.#watching;
  }

  hold(): void {
    this.#isHeld = true;
    this.#server.ref();
  }

  release(): void {
    this.#isHeld = false;
    this.#server.unref();
  }

  async close(): Promise<void> {
    this.#end.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page that disconnects is not a failure.
    response.on("error", ignore);
    try {
      await this.#answer(request, response);
    } catch (error) {
      if (request.method === "POST" && !request.complete) response.shouldKeepAlive = false;
      sendFailure(response, error, this.#source.redact);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkRequest(request, this.port);
    // A path such as `//other` would be parsed as another host.
    const url = new URL(`http://${ADDRESS}${request.url?.startsWith("/") ? request.url : "/"}`);
    if ((url.pathname === "/" || url.pathname === "/index.html") && request.method !== "POST") {
      return this.#sendPage(request, response);
    }
    checkOrigin(request);
    if (request.method === "POST") checkJson(request);
    if (url.pathname === "/api/session" && request.method === "POST") {
      const { cookie, key } = this.#session.exchange((await bodyOf(request)).token);
      return sendJson(response, 200, { key } satisfies Opened, { "set-cookie": cookie });
    }
    this.#session.check(request.headers);
    if (url.pathname === "/api/about" && request.method !== "POST") {
      return sendJson(
        response,
        200,
        aboutOf(this.#source, { version: ownVersion(), allowsChanges: this.#allowsChanges }),
      );
    }
    await this.#sendAnswer(request, response, url);
  }

  async #sendAnswer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const lastId = request.headers["last-event-id"];
    const wanted = {
      method: request.method ?? "GET",
      url,
      lastId: typeof lastId === "string" ? lastId : undefined,
      body: () => bodyOf(request),
    };
    const answered = () => answerOf(this.#source, wanted, this.#allowsChanges);
    const isChange = request.method === "POST";
    const answer = await (isChange ? answered() : duringRequest(awaited(response), answered));
    if (answer.status === 204) return sendNothing(response);
    if (answer.status !== "stream") return sendJson(response, answer.status, answer.json);
    this.#watching++;
    try {
      await streamEvents(answer.run, { request, response, from: answer.from, signal: this.#end.signal });
    } finally {
      this.#watching--;
    }
  }

  #sendPage(request: IncomingMessage, response: ServerResponse): void {
    const { html, policy } = this.#page;
    const body = Buffer.from(html);
    response.writeHead(200, {
      ...HEADERS,
      "content-security-policy": policy,
      "content-type": "text/html; charset=utf-8",
      "content-length": body.length,
    });
    response.end(request.method === "HEAD" ? undefined : body);
  }
}

/** Returns a signal that is aborted when the page disconnects before it has the answer. */
function awaited(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

function noPort(port: number | undefined, cause: unknown): EngineError {
  const why = hasCode(cause, "EADDRINUSE") ? "another program uses this port" : messageOf(cause);
  return new EngineError(
    "INVALID_OPTION",
    `The page cannot be served at port ${port ?? 0} of ${ADDRESS}: ${why}. Choose another port, or pass no port.`,
    {
      cause,
    },
  );
}
