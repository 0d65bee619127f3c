/** Requests to a page server, with any headers: as its page sends them, and as other clients do. */
import { type IncomingMessage, request } from "node:http";
import { KEY_HEADER } from "../../../plugins/ui/api/index.js";

/** A small page with its own script and style. */
export const HTML = `<!doctype html><html><head><style>p{color:red}</style></head><body><p id=app></p><!--run--><script>document.title="it runs"</script></body></html>`;

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly json: any;
}

export interface Wish {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Sends only the given headers, and the host. */
export function ask(port: number, path: string, { method = "GET", headers = {}, body }: Wish = {}): Promise<Answered> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: "127.0.0.1", port, path, method, headers: Object.fromEntries(given), agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const json = answer.headers["content-type"]?.includes("json") ? JSON.parse(text) : undefined;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
        });
      },
    );
    asking.on("error", reject);
    asking.end(sent);
  });
}

export function tokenIn(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get("token") ?? "";
}

export interface Visitor {
  /** Credentials of its requests: the cookie and the key. */
  readonly own: { readonly cookie: string; readonly [KEY_HEADER]: string };
  get(path: string): Promise<Answered>;
  post(path: string, body?: unknown): Promise<Answered>;
}

/** Opens a session like the page. */
export async function visit(url: string): Promise<Visitor> {
  const port = Number(new URL(url).port);
  const headers = {
    origin: `http://127.0.0.1:${port}`,
    "content-type": "application/json",
    "sec-fetch-site": "same-origin",
  };
  const session = await ask(port, "/api/session", { method: "POST", headers, body: { token: tokenIn(url) } });
  const cookie = session.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const own = { cookie, [KEY_HEADER]: session.json?.key ?? "" };
  return {
    own,
    get: (path) => ask(port, path, { headers: { ...own, "sec-fetch-site": "same-origin" } }),
    post: (path, body = {}) => ask(port, path, { method: "POST", headers: { ...headers, ...own }, body }),
  };
}

/** The events of a stream that ends. */
export function eventsIn(text: string): readonly { readonly type: string; readonly [name: string]: unknown }[] {
  return [...text.matchAll(/^data: (\[.*\])$/gm)].flatMap(([, data = ""]) => JSON.parse(data));
}
