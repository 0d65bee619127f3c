/** Which requests are looked at: those of the page itself, and of people who open it. Pure. */
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "./answer.js";

/** Characters of a URL. */
const LONGEST_URL = 8000;

export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** @param port of this server. @throws Refusal */
export function checkRequest({ method, url = "", headers }: Asked, port: number): void {
  const { host } = headers;
  // A name of others may lead here (DNS rebinding): then it stands here.
  if (host === undefined || !hostsOf(port).includes(host)) {
    throw new Refusal(403, "HOST_REFUSED", "This server answers to 127.0.0.1 and localhost only.");
  }
  if (url.length > LONGEST_URL) throw new Refusal(414, "URL_TOO_LONG", "The URL is too long.");
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    throw new Refusal(405, "METHOD_REFUSED", "Only GET and POST are answered.");
  }
}

/** What is not for pages of others. @throws Refusal */
export function checkOrigin({ method, headers }: Asked): void {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  const isOwn = origin === `http://${host}`;
  const isUnsaid = origin === undefined && method !== "POST";
  const isNear = site === undefined || site === "same-origin" || (site === "none" && method !== "POST");
  if ((isOwn || isUnsaid) && isNear) return;
  throw new Refusal(403, "ORIGIN_REFUSED", "Only the page of this server may ask that.");
}

/** @throws Refusal */
export function checkJson({ headers }: Asked): void {
  if (/^application\/json(;|$)/i.test(headers["content-type"] ?? "")) return;
  throw new Refusal(415, "NO_JSON", "The body has to be JSON, and say so.");
}

function hostsOf(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}
