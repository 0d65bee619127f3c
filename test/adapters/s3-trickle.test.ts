/** A reply that trickles: it blocks no request for as long as it takes. */
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, expect, it } from "vitest";
import { s3StoreAt } from "../../adapters/s3/index.js";

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { ETag: '"tag"', "Content-Length": 1_000_000 });
  const drops = setInterval(() => response.write("x"), 50);
  response.on("close", () => clearInterval(drops));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

// The whole body would take hours.
it("gives up a body that trickles", async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const endpoint = `http://127.0.0.1:${address.port}`;
  const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
  const store = s3StoreAt({ bucket: "state", endpoint, credentials, requestTimeout: 200, retryTimeout: 500 });
  await expect(store.get("app/dev/1")).rejects.toThrow(/TimeoutError: no answer within/);
  await store.close();
});
