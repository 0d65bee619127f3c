import { expect, test } from "vitest";
import { gc } from "../../../helpers/processes/gc.ts";
import type { CtyRecord } from "../fixture/kind.ts";
import { fixtures } from "../fixture-provider.ts";
import { failed, make } from "./made.ts";

const launched = fixtures();

test.each([
  [
    "endless",
    /wrote a first line that is not the handshake of a provider: "\[a line of more than 1 MiB is not shown\]"/,
  ],
  ["old", /uses the plugin protocol 4, but the engine supports only 5 and 6/],
  ["netrpc", /uses netrpc, but the engine supports only gRPC/],
  ["newer", /uses version 2 of the handshake/],
])("a provider that begins with %s", async (fault, message) => {
  await expect(launched({ FIXTURE_FAULT: fault })).rejects.toEqual(failed(message));
});

test("an answer of 50 MB is taken", async () => {
  const { applied } = await make(await launched(), { on_create: "huge" });
  expect(String((applied.value as CtyRecord).result)).toHaveLength(50 * 1024 * 1024);
});

test("a log of 100 MB is not kept", async () => {
  const fixture = await launched({}, { log: () => {} });
  gc();
  const before = held();
  const { applied } = await make(fixture, { on_create: "flood" });
  expect(applied.diagnostics).toEqual([]);
  gc();
  expect(held() - before).toBeLessThan(64 * 1024 * 1024);
});

/** Bytes of objects and buffers in memory. */
function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test("one that is killed in a call", async () => {
  const message = /was ended by SIGKILL before it answered PlanResourceChange/;
  await expect(make(await launched(), { on_plan: "kill" })).rejects.toEqual(failed(message));
});
