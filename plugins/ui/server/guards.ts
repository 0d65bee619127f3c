/** Accepts only requests of the page itself, and of people who open it. Pure. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { monotonicNow } from "../../../core/base/index.js";
import type { Opened } from "../api/index.js";
import { KEY_HEADER } from "../api/index.js";
import { Refusal } from "./answer.js";

/** Longest URL in characters. */
const LONGEST_URL = 8000;

export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** @param port of this server. @throws Refusal */
export function checkRequest({ method, url = "", headers }: Asked, port: number): void {
  const { host } = headers;
  // A foreign name may resolve to this machine (DNS rebinding): then the host header contains it.
  if (host === undefined || !hostsOf(port).includes(host)) {
    throw new Refusal(
      403,
      "HOST_REFUSED",
      "This server answers to 127.0.0.1 and localhost only. Open the URL that the server printed.",
    );
  }
  if (url.length > LONGEST_URL) throw new Refusal(414, "URL_TOO_LONG", "The URL is too long.");
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    throw new Refusal(405, "METHOD_REFUSED", "This server accepts only GET, HEAD and POST.");
  }
}

/** Refuses requests of foreign pages. @throws Refusal */
export function checkOrigin({ method, headers }: Asked): void {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  const isOwn = origin === `http://${host}`;
  const isUnsaid = origin === undefined && method !== "POST";
  const isNear = site === undefined || site === "same-origin" || (site === "none" && method !== "POST");
  if ((isOwn || isUnsaid) && isNear) return;
  throw new Refusal(403, "ORIGIN_REFUSED", "Only the page of this server may send this request.");
}

/** @throws Refusal */
export function checkJson({ headers }: Asked): void {
  if (/^application\/json(;|$)/i.test(headers["content-type"] ?? "")) return;
  throw new Refusal(415, "NO_JSON", "The body must be JSON, with the header content-type: application/json.");
}

function hostsOf(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** The most attempts with a token in a second. */
const MOST_TRIES = 5;

const SECOND = 1000;

/** The result of a valid token. */
interface Exchanged extends Opened {
  /** Value of the header `Set-Cookie`. */
  readonly cookie: string;
}

export class Session {
  /** 256 bits, for the fragment of the URL. */
  readonly token = secret();
  readonly #value = secret();
  /** Not in a cookie: browsers send cookies to every server of this machine that they open. */
  readonly #key = secret();
  readonly #name: string;
  #tries: readonly number[] = [];

  /** @param port of the server: cookies ignore ports, and another server of this machine may set one, too */
  constructor(port: number) {
    this.#name = `engine-ui-${port}-${randomBytes(6).toString("hex")}`;
  }

  /**
   * Exchanges the token for a session. Attempts with other tokens never keep the right one out.
   *
   * @throws Refusal 401, 429 after too many attempts
   */
  exchange(token: unknown): Exchanged {
    if (typeof token === "string" && isSame(token, this.token)) {
      return { cookie: `${this.#name}=${this.#value}; HttpOnly; SameSite=Strict; Path=/`, key: this.#key };
    }
    const now = monotonicNow();
    this.#tries = this.#tries.filter((at) => now - at < SECOND);
    if (this.#tries.length >= MOST_TRIES) throw new Refusal(429, "TOO_MANY_TRIES", "Too many tries. Wait a second.");
    this.#tries = [...this.#tries, now];
    throw new Refusal(401, "TOKEN_REFUSED", "The token is not from this server. Open the URL that the server printed.");
  }

  /** Requires both the cookie and the key. @throws Refusal 401 */
  check(headers: IncomingHttpHeaders): void {
    const start = `${this.#name}=`;
    const cookies = (headers.cookie ?? "").split(/;\s*/).filter((one) => one.startsWith(start));
    const hasCookie = cookies.some((one) => isSame(one.slice(start.length), this.#value));
    const key = headers[KEY_HEADER];
    if (hasCookie && typeof key === "string" && isSame(key, this.#key)) return;
    throw new Refusal(401, "NO_SESSION", "This request belongs to no session. Open the URL that the server printed.");
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in constant time. */
function isSame(given: string, own: string): boolean {
  const [one, other] = [given, own].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
