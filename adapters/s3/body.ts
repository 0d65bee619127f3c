/** Text of an object, read to its end. */
import { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";

/** So many bytes count as progress; a body that comes in drops is given up. */
const PIECE = 32 * 1024;

/** @param progress called when the body begins, and for each piece that has come */
export async function textOf(
  { Body: body, ContentLength: length }: GetObjectCommandOutput,
  progress: () => void,
): Promise<string> {
  if (body === undefined) return "";
  const bytes =
    body instanceof Readable ? await collect(body, progress) : Buffer.from(await body.transformToByteArray());
  if (length === undefined || bytes.length === length) return bytes.toString("utf8");
  const error = new Error(`the reply ended after ${bytes.length} of ${length} bytes`);
  error.name = "IncompleteReply";
  throw error;
}

async function collect(stream: Readable, progress: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let unsaid = 0;
  progress();
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    unsaid += chunk.length;
    if (unsaid < PIECE) continue;
    progress();
    unsaid = 0;
  }
  return Buffer.concat(chunks);
}
