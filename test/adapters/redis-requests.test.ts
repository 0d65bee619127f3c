import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Link } from "../../adapters/redis/link.js";
import { RedisRequests } from "../../adapters/redis/requests.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("does not take the time that the driver needs to load for the server's", async () => {
  let isLoaded = false;
  const load = (done: () => void): void => {
    isLoaded = true;
    done();
  };
  const client = {
    isOpen: true,
    connect: async () => {},
    sendCommand: async () => (isLoaded ? "answer" : "too early"),
  };
  const link = new Link({
    isOwn: true,
    prepare: () => new Promise<void>((done) => setTimeout(load, 5_000, done)),
    connect: async () => ({ client, destroy: () => {} }),
    check: () => {},
    anyKey: "key",
  });
  const limits = { location: "here", retryTimeout: 1_000, requestTimeout: 500, waitReplicas: 0, spansServers: false };
  const answer = new RedisRequests(link, limits).read("read key", { key: "key", args: ["GET", "key"] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toBe("answer");
});
