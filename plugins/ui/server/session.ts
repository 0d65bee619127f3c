/** Who may ask: whoever has the token of the URL, and from then on a cookie. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { monotonicNow } from "../../../core/base/index.js";
import { Refusal } from "./answer.js";

/** Tries of a token in a second. */
const MOST_TRIES = 5;
const SECOND = 1000;

export class Session {
  /** 256 bits, for the fragment of the URL. */
  readonly token = secret();
  readonly #value = secret();
  readonly #name: string;
  #tries: readonly number[] = [];

  /** @param port of the server: cookies know no ports, and another server of this machine may have one, too */
  constructor(port: number) {
    this.#name = `engine-ui-${port}-${randomBytes(6).toString("hex")}`;
  }

  /** The cookie for whoever has the token. @throws Refusal 401, 429 after too many tries */
  exchange(token: unknown): string {
    const now = monotonicNow();
    this.#tries = this.#tries.filter((at) => now - at < SECOND);
    if (this.#tries.length >= MOST_TRIES) throw new Refusal(429, "TOO_MANY_TRIES", "Too many tries: wait a second.");
    if (typeof token === "string" && isSame(token, this.token)) {
      return `${this.#name}=${this.#value}; HttpOnly; SameSite=Strict; Path=/`;
    }
    this.#tries = [...this.#tries, now];
    throw new Refusal(401, "TOKEN_REFUSED", "That is not the token of this server: open the URL that it has printed.");
  }

  /** @param cookies as a request has them. @throws Refusal 401 */
  check(cookies: string | undefined): void {
    const start = `${this.#name}=`;
    const given = (cookies ?? "").split(/;\s*/).filter((one) => one.startsWith(start));
    if (given.some((one) => isSame(one.slice(start.length), this.#value))) return;
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
