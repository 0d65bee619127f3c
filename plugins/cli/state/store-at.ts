/** A state store that is named by an address, as a command is given it. */
import { fileURLToPath } from "node:url";
import { EngineError, messageOf } from "../../../core/base/index.js";
import type { StateStoreOption } from "../../../core/contract/index.js";

const FORMS =
  "s3://BUCKET/PREFIX (with ?region=…, ?endpoint=…, ?profile=…), redis://HOST:PORT or rediss://HOST:PORT (with ?prefix=…), or a folder";

/**
 * Adapters are loaded when they are asked for.
 *
 * @param text never shown: it may hold a password
 * @throws EngineError `INVALID_ARGUMENT`, and `INVALID_OPTION` as the adapters do
 */
export async function storeAt(text: string): Promise<StateStoreOption> {
  try {
    return await named(text);
  } catch (error) {
    throw error instanceof EngineError ? error : unusable(messageOf(error), error);
  }
}

async function named(text: string): Promise<StateStoreOption> {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return folder(text);
    case "file":
      return folder(fileURLToPath(addressIn(text, [])));
    case "s3":
      return bucket(addressIn(text, ["region", "endpoint", "profile"]));
    case "redis":
    case "rediss":
      return server(addressIn(text, ["prefix"]));
    default:
      throw unusable(`stores at ${scheme}: are not known here`);
  }
}

async function folder(root: string): Promise<StateStoreOption> {
  if (root === "") throw unusable("it is empty");
  const { fsStore } = await import("../../../adapters/fs/index.js");
  return fsStore({ root });
}

async function bucket({ hostname, pathname, searchParams, username, password }: URL): Promise<StateStoreOption> {
  if (hostname === "") throw unusable("the bucket is missing");
  if (username + password !== "") {
    throw unusable("keys are taken from where AWS programs find them (environment, profile), not from the address");
  }
  const { s3Store } = await import("../../../adapters/s3/index.js");
  const prefix = decodeURIComponent(pathname.slice(1));
  return s3Store({ bucket: hostname, ...(prefix && { prefix }), ...Object.fromEntries(searchParams) });
}

async function server(url: URL): Promise<StateStoreOption> {
  const { redisStore } = await import("../../../adapters/redis/index.js");
  const options = Object.fromEntries(url.searchParams);
  url.search = "";
  return redisStore({ url: url.href, ...options });
}

function addressIn(text: string, parameters: readonly string[]): URL {
  if (!URL.canParse(text)) throw unusable("that is no address");
  const url = new URL(text);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw unusable(`"${unknown}" is no parameter of it`);
  return url;
}

function unusable(why: string, cause?: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `The store cannot be used: ${why}. Give ${FORMS}.`, { cause });
}
