/** Requests to registries and servers of archives. */
import { setTimeout as sleep } from "node:timers/promises";
import { fetchFor } from "../../../adapters/kit/proxy.js";
import { type Credentials, type HostToken, variableOf } from "./credentials/index.js";
import { missing, reasonOf, unverified } from "./failure.js";

/** Settings of requests, each with a default. */
export interface Asking {
  readonly signal?: AbortSignal;
  /** Gets lines about the progress of a long download. */
  readonly report?: (line: string) => void;
  readonly patience?: Patience;
  /** Tokens for registries that require them. Default: none. */
  readonly credentials?: Credentials;
}

export interface Patience {
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled before each further one. */
  readonly pause: number;
  /** Maximum milliseconds without data. */
  readonly silence: number;
}

const USUAL: Patience = { attempts: 4, pause: 500, silence: 30_000 };
const MOST_REDIRECTS = 10;
const USE_MIRROR = "Use a mirror folder: engine add PROVIDER --mirror FOLDER.";
const OR_MIRROR =
  'Or use a mirror folder: engine add PROVIDER --mirror FOLDER. "engine import" and "engine adopt" take --mirror, too.';

export interface Question<T> {
  readonly url: URL;
  /** The requested object, as the beginning of a message. */
  readonly what: string;
  /** Meaning of a 404 or 410, and advice. */
  readonly absent: string;
  /** Host of the registry, with its port. Only requests to it carry its token. */
  readonly registry?: string;
  /** Reads the body. @param alive called for each received part */
  read(body: AsyncIterable<Uint8Array>, alive: () => void, length: number | undefined): Promise<T>;
}

class Passing extends Error {}

/**
 * Sends a request. Retries if the server is busy or the connection breaks.
 *
 * @throws EngineError `PROVIDER_MISSING`, with the requested object and its URL; `PROVIDER_UNVERIFIED` if a URL is not
 * https
 */
export async function ask<T>(question: Question<T>, asking: Asking = {}): Promise<T> {
  const { signal, patience = USUAL, credentials } = asking;
  const { registry } = question;
  const token = registry === undefined ? undefined : await credentials?.tokenFor(registry);
  if (token && !/^[\t\x20-\x7e\x80-\xff]*$/.test(token.token)) throw unfit(question, token);
  for (let attempt = 1; ; attempt++) {
    try {
      return await once({ ...question, token }, patience.silence, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      if (attempt >= patience.attempts) throw unreachable(question, error);
    }
    await sleep(patience.pause * 2 ** (attempt - 1), undefined, { signal });
  }
}

interface Asked<T> extends Question<T> {
  readonly token: HostToken | undefined;
}

async function once<T>(question: Asked<T>, silence: number, signal: AbortSignal | undefined): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Passing(`nothing came for ${silence / 1000} s`)), silence);
  try {
    const response = await follow(question, signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
    timer.refresh();
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    const body: AsyncIterable<Uint8Array> = response.body ?? empty();
    return await question.read(body, () => timer.refresh(), Number.isNaN(length) ? undefined : length);
  } catch (error) {
    throw stop.signal.aborted && !signal?.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** Follows redirects one by one. Each URL has to be safe, and only the registry's own host gets its token. */
async function follow(asked: Asked<unknown>, signal: AbortSignal): Promise<Response> {
  const { url: first, what, absent, token, registry } = asked;
  let url = first;
  for (let step = 0; step <= MOST_REDIRECTS; step++) {
    checkSafe(url, what);
    const headers = new Headers();
    if (token && url.host === registry) headers.set("authorization", `Bearer ${token.token}`);
    const fetch = await fetchFor(url);
    const response = await fetch(url, { redirect: "manual", signal, headers });
    const { status } = response;
    const next = status >= 300 && status < 400 ? response.headers.get("location") : null;
    if (response.ok) return response;
    await response.body?.cancel();
    if (next !== null && URL.canParse(next, url.href)) url = new URL(next, url);
    else if (status === 404 || status === 410) throw missing(`${what}: ${url} answered ${status}. ${absent}`);
    else if (status === 408 || status === 429 || status >= 500) throw new Passing(`it answered ${status}`);
    else throw missing(`${what}: ${url} answered ${status}. ${refusal(status, asked)}`);
  }
  throw missing(
    `${what}: ${first} redirects more than ${MOST_REDIRECTS} times. Report this to the operator of the server.`,
  );
}

function refusal(status: number, { registry, token }: Asked<unknown>): string {
  if (status !== 401 && status !== 403) return "Check the address.";
  if (token)
    return `The server rejects the token of ${token.from}, or the token has no access to this address. Check the token.`;
  if (registry === undefined)
    return `The server of the archives refuses this request. The engine sends tokens only to registries, so it cannot log in there. ${USE_MIRROR}`;
  return `The registry requires a token. Set ${variableOf(registry)} to a token. ${OR_MIRROR}`;
}

/** Checked here, because the error of `Headers` would quote the token. */
function unfit({ what }: Question<unknown>, { from }: HostToken): Error {
  return missing(
    `${what}: the token of ${from} has a character that no request can hold, such as a line break. Remove this character from the token.`,
  );
}

/** True for an address of this machine, which needs no encryption. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function checkSafe(url: URL, what: string): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return;
  throw unverified(
    `${what}: ${url} is not an https address, so an attacker on the network could change the answer. The engine sent no request there. Use an https address. ${OR_MIRROR}`,
  );
}

function isPassing(error: unknown): boolean {
  // `fetch` throws a TypeError if a connection fails or breaks.
  return error instanceof Passing || error instanceof TypeError;
}

function unreachable({ url, what }: Question<unknown>, error: unknown): Error {
  return missing(
    `${what}: the request to ${url} failed: ${reasonOf(error)}. Try again later. Behind a proxy, set HTTPS_PROXY. ${OR_MIRROR}`,
    error,
  );
}

async function* empty(): AsyncGenerator<Uint8Array> {}
