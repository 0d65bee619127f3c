/** What a request brings along. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "./answer.js";

/** Bytes. */
const LARGEST = 10_000;

/** The members of a JSON object. @throws Refusal 400, 413 */
export async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST) throw new Refusal(413, "BODY_TOO_LARGE", "The body is too large.");
    chunks.push(bytes);
  }
  const value = parsed(Buffer.concat(chunks).toString());
  if (typeof value === "object" && value !== null) return { ...value };
  throw new Refusal(400, "INVALID_BODY", "The body is no JSON object.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
