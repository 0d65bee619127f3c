/** What registries answer, read at the border. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { missing, unverified } from "./failure.js";
import { type Asking, ask, type Question } from "./request.js";

type Asked = Omit<Question<unknown>, "read">;

/** The most that lists, sums and signatures may have. */
const MOST_BYTES = 16 * 2 ** 20;
/** Milliseconds between two lines about a download. */
const TOLD_EVERY = 2000;

/** @throws EngineError as {@link ask}, and where it is too large */
export function askBytes(asked: Asked, asking?: Asking): Promise<Buffer> {
  const read: Question<Buffer>["read"] = async (body, alive) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of body) {
      alive();
      size += part.length;
      if (size > MOST_BYTES)
        throw missing(`${asked.what}: ${asked.url} answers with more than ${megabytes(MOST_BYTES)}.`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
  return ask({ ...asked, read }, asking);
}

/** @throws EngineError as {@link ask}, and where it is no JSON object */
export async function askJson(asked: Asked, asking?: Asking): Promise<Readonly<Record<string, unknown>>> {
  const text = (await askBytes(asked, asking)).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw missing(`${asked.what}: what ${asked.url} answers is no JSON object. Check that a registry is there.`);
}

export interface Download {
  /** Where it goes: there is no such file yet. */
  readonly file: string;
  readonly mostBytes: number;
}

/** Streams it to the disk. @returns its SHA-256, in hexadecimal @throws EngineError as {@link ask} */
export function download(asked: Asked, { file, mostBytes }: Download, asking: Asking = {}): Promise<string> {
  const read: Question<string>["read"] = async (body, alive, length) => {
    const hash = createHash("sha256");
    const tell = progress(asked.what, length, asking);
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const part of body) {
        alive();
        size += part.length;
        if (size > mostBytes)
          throw unverified(`${asked.what}: ${asked.url} has more than ${megabytes(mostBytes)}. It was not kept.`);
        hash.update(part);
        tell(size);
        yield part;
      }
    };
    // What an earlier attempt has left is overwritten.
    await pipeline(counted, createWriteStream(file, { mode: 0o600 }));
    return hash.digest("hex");
  };
  return ask({ ...asked, read }, asking);
}

function progress(what: string, length: number | undefined, { report }: Asking): (size: number) => void {
  let told = performance.now();
  return (size) => {
    if (performance.now() - told < TOLD_EVERY) return;
    told = performance.now();
    const all = length === undefined ? "" : ` of ${megabytes(length)}`;
    report?.(`${what}: ${megabytes(size)}${all}`);
  };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
