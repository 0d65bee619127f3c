/** A store on a server of the test's own, which stands for S3. */
import { once } from "node:events";
import type { Server } from "node:net";
import { type S3Store, type S3StoreOptions, s3StoreAt } from "../../../adapters/s3/index.js";

export async function storeOn(server: Server, more: Pick<S3StoreOptions, "retryTimeout"> = {}): Promise<S3Store> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
  return s3StoreAt({ bucket: "state", endpoint: `http://127.0.0.1:${address.port}`, credentials, ...more });
}
