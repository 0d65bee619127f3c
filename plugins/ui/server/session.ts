/** Who may ask: whoever has the token of the URL, and from then on a cookie and a key. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { monotonicNow } from "../../../core/base/index.js";
import type { Opened } from "../api/index.js";
import { KEY_HEADER } from "../api/key-header.js";
import { Refusal } from "./answer.js";

/** Tries of a token in a second. */
const MOST_TRIES = 5;
const SECOND = 1000;

/** What the token is exchanged for. */
export interface Exchanged extends Opened {
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
