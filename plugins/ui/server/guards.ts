/** Which requests are looked at: those of the page itself, and of people who open it. Pure. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { monotonicNow } from "../../../core/base/index.js";
import type { Opened } from "../api/index.js";
import { KEY_HEADER } from "../api/index.js";
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

/** Tries of a token in a second. */
const MOST_TRIES = 5;

const SECOND = 1000;

/** What the token is exchanged for. */
interface Exchanged extends Opened {
  /** Value of the header `Set-Cookie`. */
  readonly cookie: string;
}

export class Session {
  /** 256 bits, for the fragment of the URL. */
  readonly token = secret();
  readonly #value = secret();
  /** In no cookie: browsers send those to whatever server of this machine they open. */
  readonly #key = secret();
  readonly #name: string;
  #tries: readonly number[] = [];

  /** @param port of the server: cookies know no ports, and another server of this machine may have one, too */
  constructor(port: number) {
    this.#name = `engine-ui-${port}-${randomBytes(6).toString("hex")}`;
  }

  /** For whoever has the token. @throws Refusal 401, 429 after too many tries */
  exchange(token: unknown): Exchanged {
    const now = monotonicNow();
    this.#tries = this.#tries.filter((at) => now - at < SECOND);
    if (this.#tries.length >= MOST_TRIES) throw new Refusal(429, "TOO_MANY_TRIES", "Too many tries: wait a second.");
    if (typeof token === "string" && isSame(token, this.token)) {
      return { cookie: `${this.#name}=${this.#value}; HttpOnly; SameSite=Strict; Path=/`, key: this.#key };
    }
    this.#tries = [...this.#tries, now];
    throw new Refusal(401, "TOKEN_REFUSED", "That is not the token of this server: open the URL that it has printed.");
  }

  /** Either alone is not enough. @throws Refusal 401 */
  check(headers: IncomingHttpHeaders): void {
    const start = `${this.#name}=`;
    const cookies = (headers.cookie ?? "").split(/;\s*/).filter((one) => one.startsWith(start));
    const hasCookie = cookies.some((one) => isSame(one.slice(start.length), this.#value));
    const key = headers[KEY_HEADER];
    if (hasCookie && typeof key === "string" && isSame(key, this.#key)) return;
    throw new Refusal(401, "NO_SESSION", "Open the URL that the server has printed: it has the token.");
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** In the same time, whatever is given. */
function isSame(given: string, own: string): boolean {
  const [one, other] = [given, own].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
