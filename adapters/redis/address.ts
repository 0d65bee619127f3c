import { EngineError } from "../../core/base/index.js";

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

/** @throws EngineError `INVALID_OPTION`, which says nothing of the text, for that may hold a password */
export function parseAddress(option: string, text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url?.protocol === "redis:" || url?.protocol === "rediss:";
  const database = Number(url?.pathname.slice(1) ?? "");
  // A sign that is not encoded would end the address, and the user's name would be taken for the host.
  const isCut = url !== undefined && (url.search !== "" || url.hash !== "");
  if (!url || !isRedis || isCut || url.hostname === "" || !Number.isSafeInteger(database) || database < 0) {
    throw new EngineError(
      "INVALID_OPTION",
      `Redis: option "${option}" must look like redis://user:password@host:6379/0, or rediss:// for TLS. Signs in a password are percent-encoded.`,
    );
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 6379 : Number(url.port),
    tls: url.protocol === "rediss:",
    username: decoded(option, url.username),
    password: decoded(option, url.password),
    database,
  };
}

/** For messages, so without credentials. */
export function locationOf({ host, port, tls, database }: RedisAddress): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls ? "rediss" : "redis"}://${name}:${port}${database === 0 ? "" : `/${database}`}`;
}

function decoded(option: string, part: string): string | undefined {
  if (part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw notDecoded(option, error);
  }
}

function notDecoded(option: string, cause: unknown): EngineError {
  const message = `Redis: in option "${option}" the user or the password has a "%" that is not encoded. Write it as "%25".`;
  return new EngineError("INVALID_OPTION", message, { cause });
}
