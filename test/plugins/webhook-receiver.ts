/** A server that receives webhook requests. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/**
 * Starts the server; it ends with the test.
 *
 * @param statuses of the answers, one after the other; "never": none
 */
export async function receiver(...statuses: (number | "never")[]) {
  const bodies: { readonly text: string }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    const status = statuses.shift() ?? 200;
    if (status !== "never") response.writeHead(status).end("ok");
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { bodies, url: `http://127.0.0.1:${port}/services/T0/swordfish` };
}
