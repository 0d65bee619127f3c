/** Serves the built site to a browser, on this machine alone. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { root } from "../house/project.ts";

export const folder = join(root, "docs/site");

/** Undefined if the site is built. */
export const lacksSite = existsSync(join(folder, "index.html")) ? undefined : "the site is not built (npm run docs)";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

/** The page that a server of static files shows for a missing file. */
const notFound = () => readFile(join(folder, "404.html"));

export interface SiteServer {
  /** Ends in a slash. */
  readonly url: string;
  close(): Promise<void>;
}

export async function serveSite(): Promise<SiteServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    readFile(join(folder, path)).then(
      (body) => response.setHeader("content-type", types[extname(path)] ?? "text/plain").end(body),
      async () => response.writeHead(404, { "content-type": types[".html"] }).end(await notFound()),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
