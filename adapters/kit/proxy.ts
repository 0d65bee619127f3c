/**
 * Sends requests through the proxy of the environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, also in lower case.
 */
import type { AgentOptions } from "node:http";
import type { Dispatcher, ProxyAgent } from "undici";
import { EngineError, isMissing } from "../../core/base/index.js";

type Undici = typeof import("undici");

/** A client for one proxy. */
interface Opened {
  readonly undici: Undici;
  readonly agent: ProxyAgent;
}

const PACKAGE = "undici";
const opened = new Map<string, Promise<Opened>>();

/**
 * Returns a `fetch` for an address: that of the runtime if no proxy is set for the address or the runtime uses it
 * itself, else that of undici.
 *
 * @throws EngineError `PACKAGE_MISSING` without undici; `INVALID_OPTION` if the variable does not contain an address
 */
export async function fetchFor(url: URL): Promise<typeof fetch> {
  if (isProxiedByRuntime()) return fetch;
  const through = await throughProxy(url);
  if (!through) return fetch;
  const { undici, agent: dispatcher } = through;
  // Its types are those of `fetch`, except the dispatcher.
  const proxied: unknown = (input: string | URL, init: object = {}) => undici.fetch(input, { ...init, dispatcher });
  return proxied as typeof fetch;
}

/**
 * Returns undici and an agent for the proxy of an address; undefined if there is no proxy for it.
 *
 * @throws EngineError like {@link fetchFor}
 */
export async function throughProxy(url: URL): Promise<Opened | undefined> {
  const proxy = proxyFor(url);
  if (proxy === undefined) return undefined;
  let opening = opened.get(proxy.href);
  if (opening === undefined) {
    opening = open(proxy, url);
    opened.set(proxy.href, opening);
    opening.catch(() => opened.delete(proxy.href));
  }
  return opening;
}

/** Returns options for agents of Node, which support proxies since 22.21 and 24.5. */
export function proxyOptions(): AgentOptions & { readonly proxyEnv?: NodeJS.ProcessEnv } {
  return canNode() ? { proxyEnv: process.env } : {};
}

/** True if a variable names a proxy, and agents of Node do not support proxies. */
export function needsProxyPackage(): boolean {
  return ["https_proxy", "http_proxy"].some((name) => variable(name)) && !canNode();
}

/** Returns the proxy for an address. @param env default: that of the process */
export function proxyFor({ protocol, hostname, port }: URL, env = process.env): URL | undefined {
  const name = protocol === "https:" ? "https_proxy" : "http_proxy";
  const value = variable(name, env);
  if (!value || isExempt(hostname, port || (protocol === "https:" ? "443" : "80"), variable("no_proxy", env) ?? ""))
    return undefined;
  const text = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(text)) return new URL(text);
  // The value may contain a password.
  const message = `The environment variable ${name.toUpperCase()} is not the address of a proxy. Write it as http://host:port.`;
  throw new EngineError("INVALID_OPTION", message);
}

/** @param exempt hosts with or without a port, which include their subdomains; `*` means all */
function isExempt(host: string, port: string, exempt: string): boolean {
  return exempt
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = "", only = port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      return only === port && name !== "" && (name === "*" || host === name || host.endsWith(`.${name}`));
    });
}

function variable(name: string, env = process.env): string | undefined {
  return env[name] ?? env[name.toUpperCase()];
}

/** True for Bun and Deno, and for Node if it is configured to use proxies. */
function isProxiedByRuntime(): boolean {
  if ("Bun" in globalThis || "Deno" in globalThis) return true;
  const { NODE_USE_ENV_PROXY, NODE_OPTIONS = "" } = process.env;
  const isTold =
    NODE_USE_ENV_PROXY === "1" || [NODE_OPTIONS, ...process.execArgv].join(" ").includes("--use-env-proxy");
  return isTold && canNode();
}

function canNode(): boolean {
  return process.allowedNodeEnvironmentFlags?.has("--use-env-proxy") === true;
}

async function open(proxy: URL, { origin }: URL): Promise<Opened> {
  try {
    const undici = await import("undici");
    // Without TLS no tunnel is used, because many proxies allow tunnels only to port 443.
    return {
      undici,
      agent: new undici.ProxyAgent({ uri: proxy.href, proxyTunnel: false, clientFactory: clientOf(undici) }),
    };
  } catch (error) {
    throw isMissing(error, PACKAGE) ? missing(origin, error) : error;
  }
}

/** Changes the code of an error: undici retries forever if a proxy closes the connection without an answer. */
function clientOf({ Pool }: Undici): (origin: URL, options: object) => Dispatcher {
  return (origin, options) => {
    const pool = new Pool(origin, options);
    const connect: (to: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool);
    const connectOnce = (to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> =>
      connect(to).catch((cause: Error) => {
        throw Object.assign(new Error("the proxy closed the connection", { cause }), { code: "ECONNRESET" });
      });
    return Object.assign(pool, { connect: connectOnce });
  };
}

function missing(origin: string, cause: unknown): EngineError {
  const need = `A proxy for ${origin} is set in the environment, but the package ${PACKAGE}, which proxies need, is not installed.`;
  const ways = `Install it: npm install ${PACKAGE}. Or set NODE_USE_ENV_PROXY=1, which needs Node 24.5 or later, or Node 22 from 22.21.`;
  return new EngineError("PACKAGE_MISSING", `${need} ${ways}`, { cause });
}
