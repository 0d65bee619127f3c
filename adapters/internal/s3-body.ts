/** Text of an object, read to its end. */
import { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";

/** @param progress called for each piece that has come */
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
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    progress();
  }
  return Buffer.concat(chunks);
}
