import { expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { readHandshake } from "../../../../plugins/terraform/protocol/process/handshake.js";
import { LogGate, type LogLine, logLineOf } from "../../../../plugins/terraform/protocol/process/provider-log.js";

test.each<[string, LogLine]>([
  [
    '{"@level":"debug","@message":"asks","@module":"provider.http","@timestamp":"2026-01-01","url":"/a","n":[1]}',
    { level: "debug", text: "provider.http: asks url=/a n=[1]" },
  ],
  ['{"@level":"odd","@message":"x"}', { level: "info", text: "x" }],
  ['{"no":"message"}', { level: "info", text: '{"no":"message"}' }],
  ["{half", { level: "info", text: "{half" }],
  ["2026/01/01 10:00:00 [WARN] slow", { level: "warn", text: "2026/01/01 10:00:00 [WARN] slow" }],
  ["[ERROR] broken", { level: "error", text: "[ERROR] broken" }],
  ["panic: nil map", { level: "error", text: "panic: nil map" }],
  ["plain", { level: "info", text: "plain" }],
])("%s", (line, read) => {
  expect(logLineOf(line)).toEqual(read);
});

test("a line that is too long is cut", () => {
  expect(logLineOf("x".repeat(20_000)).text).toMatch(/^x{16384}… \(3616 more characters\)$/);
});

test("no part of a secret is in a line that is cut in the midst of it", () => {
  const secret = new Secret("log-canary ".repeat(100));
  const { text } = logLineOf(`${"x".repeat(16_000)} ${secret.unencrypted}`);
  expect(text).toMatch(/^x{16000} … \(717 more characters\)$/);
});

test("more than 4 MiB in a second are left out, and that is said", () => {
  const log: string[] = [];
  let now = 0;
  const gate = new LogGate(
    (level, text) => log.push(`${level} ${text.slice(0, 80)}`),
    () => now,
  );
  for (let line = 0; line < 6_000; line++) gate.addLine("x".repeat(1_024));
  expect(log).toHaveLength(4_096);
  now = 1_000;
  gate.addLine("after");
  expect(log.slice(4_096)).toEqual(["warn [1904 lines left out: more than 4 MiB of log in a second]", "info after"]);
});

test.each([
  ["1|5|unix|/s|grpc|", { protocol: 5, network: "unix", address: "/s", certificate: undefined }],
  ["1|6|tcp|127.0.0.1:9|grpc\r", { protocol: 6, network: "tcp", address: "127.0.0.1:9", certificate: undefined }],
  ["Hello", { problem: 'wrote a first line that is not the handshake of a provider: "Hello"' }],
  ["2|6|unix|/s|grpc", { problem: "uses version 2 of the handshake, but the engine supports only 1" }],
  ["1|4|unix|/s|grpc", { problem: "uses the plugin protocol 4, but the engine supports only 5 and 6" }],
  ["1|5|unix|/s", { problem: "uses net/rpc, but the engine supports only gRPC" }],
  ["1|5|pipe|/s|grpc", { problem: 'listens at pipe "/s", which the engine does not support' }],
])("the handshake %j", (line, read) => {
  expect(readHandshake(line)).toEqual(read);
});
