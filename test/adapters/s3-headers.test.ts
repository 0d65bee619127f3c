/** Services that refuse a header, or keep versions of objects. */
import { createServer, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import type { S3Store } from "../../adapters/s3/index.js";
import { storeOn } from "../helpers/stores/local-s3.js";

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let server: Server;
let store: S3Store;
afterEach(async () => {
  await store.close();
  server.close();
  server.closeAllConnections();
});

/** @param answers one after the other; the last one repeats */
async function answering(...answers: readonly Answer[]) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const { status, headers = {}, body = "" } = answers[Math.min(asked.length, answers.length - 1)] ?? { status: 500 };
    asked.push(`${request.method} ${request.headers["if-none-match"]}`);
    request.resume().on("end", () => response.writeHead(status, headers).end(body));
  });
  store = await storeOn(server, { retryTimeout: 60_000 });
  return { asked };
}

const errorBody = (code: string, message: string, more = ""): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;

const IMPLIES = "A header you provided implies functionality that is not implemented";
const CRC = "x-amz-checksum-crc32";

it.each<[string, Answer, string]>([
  ["in its message", { status: 501, body: errorBody("NotImplemented", `Header '${CRC}' not implemented`) }, CRC],
  [
    "as a member",
    { status: 501, body: errorBody("NotImplemented", IMPLIES, "<Header>x-amz-trailer</Header>") },
    "x-amz-trailer",
  ],
  ["as bad", { status: 400, body: errorBody("InvalidArgument", `Unsupported header: ${CRC}`) }, CRC],
])(
  "a checksum header that the service refuses is taken for no conditional writes: %s",
  async (_how, answer, header) => {
    const { asked } = await answering(answer);
    await expect(store.create("app/dev/1", "value")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(
        new RegExp(`refuses the header "${header}".*requestChecksumCalculation: "WHEN_REQUIRED"`),
      ),
    });
    expect(asked).toHaveLength(1);
  },
);

it.each([
  ["the condition", errorBody("NotImplemented", IMPLIES, "<Header>If-None-Match</Header>")],
  ["no header", errorBody("NotImplemented", IMPLIES)],
])("a service that refuses %s has no conditional writes", async (_what, body) => {
  await answering({ status: 501, body });
  await expect(store.create("app/dev/1", "value")).rejects.toMatchObject({ code: "STORE_NOT_ATOMIC" });
});

const versioned: Answer = { status: 200, headers: { ETag: '"e"', "x-amz-version-id": "v1" } };
const refused: Answer = { status: 412, body: errorBody("PreconditionFailed", "At least one precondition failed") };

it("versioning that is switched on later goes unnoticed if the service then overwrites an existing object", async () => {
  const { asked } = await answering(versioned);
  await expect(store.create("app/dev/1", "value")).rejects.toMatchObject({
    code: "STORE_NOT_ATOMIC",
    message: expect.stringContaining("keeps versions of objects"),
  });
  expect(asked).toEqual(["PUT *", "PUT *"]);
});

it("a bucket with versions that refuses to overwrite is tried once", async () => {
  const { asked } = await answering(versioned, refused, versioned);
  expect([await store.create("app/dev/1", "a"), await store.create("app/dev/2", "b")]).toEqual([true, true]);
  expect(asked).toEqual(["PUT *", "PUT *", "PUT *"]);
});
