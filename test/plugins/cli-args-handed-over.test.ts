import { afterEach, expect, it } from "vitest";
import type { EngineOptions } from "../../core/contract/index.js";
import { installPlugins } from "../../core/plugin/index.js";
import { cliArgs } from "../../plugins/cli-args/index.js";
import type { GivenFlags } from "../../plugins/internal/flags/given-flags.js";
import { handOver, parseArgv } from "../../plugins/internal/flags/handed-over.js";
import { newHost } from "../helpers/apps/plugin-host.ts";

const before = process.argv;
afterEach(() => {
  handOver("", [], parseArgv([]));
  process.argv = before;
});

/** Like a command before it runs the program. */
function start(argv: readonly string[], flags: GivenFlags): void {
  handOver("app.ts", argv, flags);
}

function filled(options: EngineOptions = {}) {
  const host = newHost();
  installPlugins([cliArgs()], host);
  return host.calls.options.call({ appName: "shop", options, origins: {}, warnings: [] });
}

/** Differs from the command line, to show which of the two was used. */
const data: GivenFlags = { options: { target: ["data"] }, origins: { target: "--target" }, opener: undefined };

it("flags that a command has read are taken as they are, and their text is not read again", () => {
  start(["--target=text"], data);
  expect(filled()).toMatchObject({ options: { target: ["data"] }, origins: { target: "--target" } });
});

it("flags that a command has read survive the way to another process", () => {
  const flags = parseArgv(["--target=a", "--target=b", "--max-deletes=20%", "--lock-timeout=5m", "--key-command=x"]);
  start(["--target=text"], JSON.parse(JSON.stringify(flags)));
  expect(filled()).toMatchObject({
    options: { target: ["a", "b"], maxDeletes: "20%", lockTimeout: 300_000, key: { command: "x" } },
    origins: { maxDeletes: "--max-deletes", key: "--key-command" },
  });
});

it("an explicit option wins over a flag that a command has read", () => {
  start(["--target=text"], data);
  expect(filled({ target: ["code"] })).toMatchObject({ options: { target: ["code"] }, origins: {} });
});

it("a program that changes its arguments is given what they say then", () => {
  start(["--target=text"], data);
  process.argv.push("--adopt");
  expect(filled().options).toMatchObject({ target: ["text"], adopt: true });
});

it("a program that keeps arguments from its app keeps these from it, too", () => {
  start(["--target=text"], data);
  expect(filled({ argv: [] }).options).toEqual({ argv: [] });
});
