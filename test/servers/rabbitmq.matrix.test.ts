import { expect, it } from "vitest";
import { describeWithRabbitmq } from "./given-rabbitmq.js";
import { startRabbitmq } from "./rabbitmq.js";
import { traces } from "./traces.js";

async function ask<Answer>(url: string, path: string): Promise<Answer> {
  const { origin, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const response = await fetch(`${origin}/api/${path}`, { headers: { authorization } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

describeWithRabbitmq("a RabbitMQ server of a test's own", (shared) => {
  it("is not the one that all share, and leaves nothing behind", async () => {
    const server = await startRabbitmq();
    const { url, pids, folder } = server;
    try {
      const [own, other] = await Promise.all([url, shared].map((one) => ask<{ node: string }>(one, "overview")));
      expect(own!.node).not.toBe(other!.node);
      expect(traces({ pids, folder })).toEqual([...pids.map((pid) => `process ${pid}`), folder]);
    } finally {
      await server.stop();
    }
    expect(traces({ pids, folder })).toEqual([]);
  });
});
