/** Servers of queues that stop answering while a conductor connects. */
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { tenants } from "../tenants.js";

const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

const INFO = "redis_version:7.4.0\r\nloading:0\r\n";

/** A server that answers some requests for its INFO, and then nothing. Returns its URL. */
async function silentAfter(answers: number): Promise<string> {
  let left = answers;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const command of String(bytes)
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const isInfo = /^info\r/im.test(command);
        if (isInfo) left--;
        if (left >= 0) socket.write(isInfo ? `$${INFO.length}\r\n${INFO}\r\n` : "+OK\r\n");
      }
    });
  });
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `redis://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test.each([
  ["at once", 0, "could not be reached"],
  ["after the connection is open", 1, "could not be reached"],
  ["after it has told its settings", 2, "could not be used"],
])("a server that does not answer %s ends the conductor with an error", async (_, answers, what) => {
  const queue = await silentAfter(answers);
  const failed = tenants(["a"]).fleet().up({ queue, version: "1" });
  await expect(failed).rejects.toMatchObject({ code: "QUEUE_FAILED", message: expect.stringContaining(what) });
  await expect(failed).rejects.toThrow("no answer within 10 s");
});
