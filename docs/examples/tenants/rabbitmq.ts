/** Requests to the management API of the RabbitMQ server that RABBITMQ_URL names. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export type Api = <Answer = unknown>(
  method: "GET" | "PUT" | "DELETE",
  path: readonly string[],
  body?: unknown,
) => Promise<Answer | undefined>;

/** Resolves with the answer, or with undefined for an empty one or if there is no such object. */
export function rabbitmq(signal: AbortSignal): Api {
  const { origin, username, password } = new URL(process.env.RABBITMQ_URL ?? "http://guest:guest@127.0.0.1:15672");
  const credentials = [username, password].map(decodeURIComponent).join(":");
  const headers = {
    authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
    "content-type": "application/json",
  };
  return async (method, path, body) => {
    const url = `${origin}/api/${path.map(encodeURIComponent).join("/")}`;
    const response = await fetch(url, {
      ...{ method, headers, body: body === undefined ? undefined : JSON.stringify(body) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
    });
    const text = await response.text();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`RabbitMQ refuses ${method} ${path.join("/")}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** The form in which the server keeps a password: four bytes of salt, and a hash. */
export function hashOf(password: string, salt: Buffer = randomBytes(4)): string {
  const hash = createHash("sha256").update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString("base64");
}

export function fitsHash(password: string, stored: string): boolean {
  const salt = Buffer.from(stored, "base64").subarray(0, 4);
  const [one, other] = [hashOf(password, salt), stored].map((text) => Buffer.from(text));
  return one!.length === other!.length && timingSafeEqual(one!, other!);
}
