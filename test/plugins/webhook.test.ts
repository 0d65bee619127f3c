import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type WebhookOptions, webhook } from "../../plugins/webhook.js";
import { Stage } from "../helpers/stage.ts";

/** A service that takes messages: its URL, and what it was sent. */
async function service(status = 200) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook/of-nobody-else`, bodies };
}

async function run(options: WebhookOptions): Promise<Stage> {
  const stage = new Stage({ plugins: [webhook(options)] });
  await stage.up();
  return stage;
}

test("what cannot be made into JSON is a warning, and nothing else", async () => {
  const unhandled: unknown[] = [];
  const onRejection = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onRejection);
  onTestFinished(() => void process.off("unhandledRejection", onRejection));
  const { url, bodies } = await service();
  const stage = await run({ url, format: () => ({ many: 1n }) });
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
  expect(bodies).toEqual([]);
  expect(stage.heard("warning")).toMatchObject([{ message: expect.stringContaining("BigInt") }]);
});

test("a URL that was read with its line's end is told of, and hidden like any other", async () => {
  const { url, bodies } = await service(500);
  const stage = new Stage({ plugins: [webhook({ url: `${url}\n` })] });
  const failing = () => {
    throw new Error(`lost ${url}`);
  };
  await expect(stage.up(failing)).rejects.toThrow();
  expect(bodies.length).toBe(2);
  const told = JSON.stringify([bodies, stage.events]);
  expect(told).toContain("lost (webhook)");
  expect(told).not.toContain("of-nobody-else");
});
