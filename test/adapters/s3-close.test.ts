/** A store that is closed during requests: each request succeeds or rejects, and no connection stays open. */
import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { storeOn } from "../helpers/stores/local-s3.js";
import { until } from "../helpers/time/until.js";

const server = createServer((request, response) => {
  request.resume().on("end", () => setTimeout(() => response.writeHead(200, { ETag: '"tag"' }).end("value"), 50));
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

it("leaves no connection behind, though requests were under way when it was closed", async () => {
  const store = await storeOn(server);
  await store.get("app/dev/1");
  const asked = Array.from({ length: 10 }, () => store.get("app/dev/1"));
  await until(connections, (open) => open === 10);
  await store.close();
  for (const answer of await Promise.allSettled(asked)) {
    if (answer.status === "fulfilled") expect(answer.value).toBe("value");
    else expect(answer.reason).toMatchObject({ code: "STORE_FAILED" });
  }
  await until(connections, (open) => open === 0);
  expect(await store.get("app/dev/1")).toBe("value");
  await store.close();
  await until(connections, (open) => open === 0);
});
