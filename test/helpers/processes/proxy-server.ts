/** A proxy that leads every request to one server of this machine. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

export interface ProxyServer {
  readonly url: string;
  /** Its requests, e.g. `CONNECT example.com:443`, `GET http://example.com/path`. */
  readonly asked: string[];
}

/** Ends with the test. @param port of the server that answers all requests */
export async function proxyServer(port: number): Promise<ProxyServer> {
  const asked: string[] = [];
  const server = createServer((inner, response) => {
    asked.push(`${inner.method} ${inner.url}`);
    const { pathname, search } = new URL(inner.url ?? "");
    const { method, headers } = inner;
    const outer = request({ host: "127.0.0.1", port, method, headers, path: `${pathname}${search}` }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outer.on("error", () => response.destroy());
    inner.pipe(outer);
  });
  server.on("connect", (inner, socket) => {
    asked.push(`CONNECT ${inner.url}`);
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
