import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { groupLives } from "../../../../plugins/internal/process/process-group.js";
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { until } from "../../../helpers/time/until.ts";
import { valueOfSchema } from "../fixture/value-of-schema.ts";
import { recordedIn, World } from "../fixture/world.ts";
import { fixtureLaunch, fixtures, type LaunchedFixture, sharedFixture } from "../fixture-provider.ts";
import { failed, make } from "./made.ts";

const launched = fixtures();
const start = (fault: string): Promise<LaunchedFixture> =>
  launched({ FIXTURE_FAULT: fault }, { startTimeout: fault === "silent" ? 500 : 30_000 });

test.each([
  [
    "exit",
    /^The provider "fixture" ended with exit code 3 before it reported its address\. Its last lines:\n {2}panic: no room/,
  ],
  ["silent", /^The provider "fixture" did not report its address within 0.5 s\. It wrote nothing\.$/],
  ["nonsense", /wrote a first line that is not the handshake of a provider: "Hello, world!"/],
  ["certificate", /cannot be reached at \S+: .*(certificate|signature)/i],
  ["nowhere", /cannot be reached at \S+nowhere: .*ENOENT/],
  ["open", /listens at 127.0.0.1:1 without TLS/],
])("a provider that begins with %s", async (fault, message) => {
  await expect(start(fault)).rejects.toEqual(failed(message));
});

test("a program that is not there", async () => {
  await expect(launched({}, { command: "/nowhere/provider" })).rejects.toEqual(
    failed(/could not be started .*not found/s),
  );
});

test("a start that is broken off leaves nothing", async () => {
  const stop = new AbortController();
  const folder = await mkdtemp(join(tmpdir(), "fixture-"));
  const file = join(folder, "pid");
  const launch = launched({ FIXTURE_FAULT: "silent", FIXTURE_PID: file }, { signal: stop.signal });
  launch.catch(() => {});
  await until(async () => (await readFile(file, "utf8").catch(() => "")).endsWith("\n"));
  stop.abort(new Error("enough"));
  await expect(launch).rejects.toThrow("enough");
  expect(groupLives(Number.parseInt(await readFile(file, "utf8"), 10))).toBe(false);
  await rm(folder, { recursive: true });
});

test("one that ends in a call is reported with the cause, the call and its last lines; and again with the next call", async () => {
  const fixture = await launched();
  const message = /ended with exit code 7 before it answered ApplyResourceChange\. Its last lines:\n.*told to exit/s;
  await expect(make(fixture, { on_create: "exit" })).rejects.toEqual(failed(message));
  const again = /ended with exit code 7 before it answered StopProvider/;
  await expect(fixture.client.stop()).rejects.toEqual(failed(again));
});

test("one that ends once it has made what it was to make", async () => {
  const fixture = await launched();
  await expect(make(fixture, { on_create: "exit-after" })).rejects.toEqual(failed(/ended with exit code 7 before/));
  expect(new World(fixture.world).all("fixture_behaviour")).toMatchObject([{ name: "b", result: "made v" }]);
});

test("one whose answers are no messages", async () => {
  const { client } = await launched({ FIXTURE_FAULT: "answers" });
  await expect(client.schema()).rejects.toEqual(failed(/failed to answer GetProviderSchema: .*parsing/));
});

describe("one that goes on", () => {
  const shared = sharedFixture();

  test("is left by its signal where it hangs, and ended nevertheless", async () => {
    const stop = new AbortController();
    const made = make(shared(), { on_create: "hang" }, stop.signal);
    made.catch(() => {});
    await until(() => recordedIn(shared().world).some(({ rpc }) => rpc === "ApplyResourceChange"));
    stop.abort(new Error("enough"));
    await expect(made).rejects.toThrow("enough");
    expect((await make(shared(), {})).applied.diagnostics).toEqual([]);
  });

  test("what fails in part comes with what was made, and the path of what it is about", async () => {
    const { applied } = await make(shared(), { on_create: "fail-partial" });
    const error = { severity: "error", summary: "Failed in part", detail: "", path: ["value"] };
    expect(applied).toMatchObject({ value: { name: "b", result: null }, diagnostics: [error] });
  });

  test("what fails afterwards comes whole", async () => {
    const { applied } = await make(shared(), { on_create: "fail-after" });
    expect(applied).toMatchObject({ value: { result: "made v" }, diagnostics: [{ summary: "Failed afterwards" }] });
  });

  test("a question that it does not know", async () => {
    const { client } = shared();
    await expect(client.openEphemeral("fixture_nothing", { type: "string", value: null })).rejects.toEqual(
      failed(/failed to answer OpenEphemeralResource: .*There is no "fixture_nothing"/),
    );
  });

  test("an answer that does not fit the type is reported with its path", async () => {
    const { client } = shared();
    const { value } = valueOfSchema((await client.schema()).resources.fixture_thing!, { name: "one" });
    const wrong = valueOfSchema((await client.schema()).dataSources.fixture_lookup!, { name: "one" });
    const input = { typeName: "fixture_thing", type: wrong.type, current: wrong.value, private: new Uint8Array() };
    await expect(client.read(input)).rejects.toEqual(
      failed(/failed to answer ReadResource: .*which its type does not have|lacks/),
    );
    expect(value.name).toBe("one");
  });
});

test("a provider that ends by itself a second after its connection is not terminated", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fixture-"));
  const pid = join(folder, "pid");
  const client = await launchProvider(fixtureLaunch(folder, { FIXTURE_PID: pid, FIXTURE_SHUTDOWN: "lingering" }));
  await client.close();
  expect(await readFile(pid, "utf8")).not.toContain("terminated");
  await rm(folder, { recursive: true });
});

test("its socket is its owner's alone, and goes with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fixture-"));
  const client = await launchProvider(fixtureLaunch(folder, { FIXTURE_PID: join(folder, "pid") }));
  const [pid = "", sockets = ""] = (await readFile(join(folder, "pid"), "utf8")).split("\n");
  expect((await stat(sockets)).mode & 0o777).toBe(0o700);
  await Promise.all([client.close(), client.close()]);
  expect(existsSync(sockets)).toBe(false);
  expect(groupLives(Number(pid))).toBe(false);
  await expect(client.stop()).rejects.toEqual(failed(/before it answered StopProvider/));
  await rm(folder, { recursive: true });
});
