/** Serves the status of a worker to health checks. */
import { once } from "node:events";
import { createServer } from "node:http";
import { EngineError, messageOf } from "../../../core/base/index.js";
import type { WorkerStatus } from "../../fleet/index.js";
import { invalid } from "../../internal/flags/flag.js";
import { plainJson } from "../../internal/text/plain-text.js";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Health {
  readonly address: Address;
  close(): void;
}

const LOOPBACK = "127.0.0.1";

/** Parses `8080`, `0.0.0.0:8080` or `[::]:8080`. @throws EngineError `INVALID_ARGUMENT` */
export function healthAddress(text: string): Address {
  const [, host, port = ""] = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(text) ?? [];
  const number = Number(port);
  if (port === "" || number > 65_535)
    throw invalid(
      `--health must be a port such as 8080, or host:port such as 0.0.0.0:8080, not ${JSON.stringify(text)}`,
    );
  return { host: host?.replace(/^\[|\]$/g, "") ?? LOOPBACK, port: number };
}

/**
 * Answers `GET /` with 200 while the worker takes stages, else with 503.
 *
 * @param status returns undefined while the worker starts
 * @throws EngineError `INVALID_ARGUMENT` if the port is in use
 */
export async function serveHealth({ host, port }: Address, status: () => WorkerStatus | undefined): Promise<Health> {
  const server = createServer((request, response) => {
    const isKnown = request.url === "/";
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isKnown || !isRead) {
      response.writeHead(isKnown ? 405 : 404, isKnown ? { allow: "GET, HEAD" } : {}).end();
      return;
    }
    const now = status() ?? { state: "starting" };
    const head = { "content-type": "application/json", "cache-control": "no-store" };
    response.writeHead(now.state === "working" ? 200 : 503, head).end(`${plainJson(now)}\n`);
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw unusable(`${host}:${port}`, error);
  }
  const bound = server.address();
  return {
    address: { host, port: typeof bound === "object" && bound !== null ? bound.port : port },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function unusable(address: string, cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `--health cannot use ${address}: ${messageOf(cause)}.`, { cause });
}
