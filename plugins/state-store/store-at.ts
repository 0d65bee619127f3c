/** Makes a state store from a URL: in the option `stateStore`, in `ENGINE_STATE`, or after `--state`. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fsStore } from "../../adapters/fs/index.js";
import { EngineError, messageOf, nearest } from "../../core/base/index.js";
import type { StateStore, StoreContext } from "../../core/contract/index.js";
import { Secret } from "../secrets/secret.js";

const FORMS =
  "s3://BUCKET/PREFIX (with ?region=…, ?endpoint=…, ?profile=…), redis://HOST:PORT or rediss://HOST:PORT (with ?prefix=…, ?cluster=true), postgres://HOST:PORT/DATABASE (with ?schema=…, ?table=… and parameters of pg), or file:FOLDER";

/**
 * Makes the store of a URL. Loads the driver of a service on demand.
 *
 * @param url never shown: it may hold a password
 * @throws EngineError `INVALID_OPTION`
 */
export async function storeAt(url: string, context: StoreContext): Promise<StateStore> {
  try {
    return await named(url, context);
  } catch (error) {
    throw error instanceof EngineError ? error : unusable(messageOf(error), error);
  }
}

async function named(text: string, context: StoreContext): Promise<StateStore> {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      throw unusable("its address is not a URL. For a folder, write file:FOLDER");
    case "file":
      return folder(text, context);
    case "s3":
      return bucket(addressIn(text, ["region", "endpoint", "profile"]), context);
    case "redis":
    case "rediss":
      return server(addressIn(text, ["prefix", "cluster"]), context);
    case "postgres":
    case "postgresql":
      return table(addressIn(text, [...TABLE, ...OF_PG]), context);
    default:
      throw unusable(`"${scheme}:" is not a known kind of store`);
  }
}

/** A path without a slash after the colon is relative to the root folder, which standard URLs do not support. */
function folder(text: string, context: StoreContext): StateStore {
  const path = text.slice("file:".length);
  if (/^\/*$/.test(path)) throw unusable("the folder is missing");
  const root = path.startsWith("/")
    ? fileURLToPath(addressIn(text, []))
    : resolve(context.rootDir, decodeURIComponent(path));
  return fsStore({ root })(context);
}

async function bucket(
  { hostname, port, pathname, searchParams, username, password }: URL,
  context: StoreContext,
): Promise<StateStore> {
  if (hostname === "") throw unusable("the bucket is missing");
  if (port !== "") throw unusable("a bucket has no port. Pass the address of another service as ?endpoint=…");
  if (username + password !== "") {
    throw unusable("AWS keys do not belong in the URL. Set them in the environment or in a profile");
  }
  const { s3Store } = await import("../../adapters/s3/index.js");
  const prefix = decodeURIComponent(pathname.slice(1));
  const { AWS_REGION, AWS_ENDPOINT_URL_S3 } = context.env ?? process.env;
  const given = {
    ...(AWS_REGION && { region: AWS_REGION }),
    ...(AWS_ENDPOINT_URL_S3 && { endpoint: AWS_ENDPOINT_URL_S3 }),
    ...Object.fromEntries(searchParams),
  };
  return s3Store({ bucket: hostname, ...(prefix && { prefix }), ...given })(context);
}

async function server(url: URL, context: StoreContext): Promise<StateStore> {
  if (url.pathname.includes("@")) throw unusable(ENCODE);
  const { redisStore } = await import("../../adapters/redis/index.js");
  const { cluster, ...options } = Object.fromEntries(url.searchParams);
  if (cluster !== undefined && cluster !== "true") throw unusable('the parameter "cluster" must be "true"');
  url.search = "";
  return redisStore({ ...(cluster ? { cluster: [url.href] } : { url: url.href }), ...options })(context);
}

/** Parameters of the table, and those that `pg` knows. */
const TABLE = ["schema", "table"];
const OF_PG = [
  ...["sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "uselibpqcompat"],
  ...["application_name", "host", "options"],
];

async function table(url: URL, context: StoreContext): Promise<StateStore> {
  if (url.pathname.includes("@")) throw unusable(ENCODE);
  const { postgresStore } = await import("../../adapters/postgres/index.js");
  const options = Object.fromEntries([...url.searchParams].filter(([name]) => TABLE.includes(name)));
  for (const name of TABLE) url.searchParams.delete(name);
  return postgresStore({ connectionString: url.href, ...options })(context);
}

function addressIn(text: string, parameters: readonly string[]): URL {
  if (!URL.canParse(text)) throw unusable("its address is not a URL");
  const url = new URL(text);
  // Registers the password as a secret, so that the engine masks it everywhere.
  if (url.password !== "") new Secret(decodeURIComponent(url.password), "password of the state store");
  // The text after a "#" may be the rest of a password, so no message quotes it.
  if (url.hash !== "" || text.endsWith("#")) throw unusable(`its address has a "#". ${ENCODE}`);
  const names = [...url.searchParams.keys()];
  const unknown = names.find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, parameters);
    const hint = near === undefined ? ENCODE : `Did you mean "${near}"?`;
    throw unusable(`its address has an unknown parameter. ${hint}`);
  }
  if (names.length > new Set(names).size) throw unusable("a parameter appears twice");
  if ([...url.searchParams.values()].includes("")) throw unusable("a parameter is empty");
  return url;
}

const ENCODE = "Special characters in a user, a password or a name must be percent-encoded";

function unusable(why: string, cause?: unknown): EngineError {
  const end = why.endsWith("?") ? "" : ".";
  return new EngineError("INVALID_OPTION", `The state store cannot be used: ${why}${end} Pass ${FORMS}.`, { cause });
}
