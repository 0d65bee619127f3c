import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { redisStore } from "../../adapters/redis/index.js";
import { s3Store } from "../../adapters/s3/index.js";
import type { EngineOptions, Scope } from "../../core/contract/index.js";
import { installPlugins } from "../../core/plugin/index.js";
import { cliArgs } from "../../plugins/cli-args/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { envOptions } from "../../plugins/env-options/index.js";
import { rejection } from "../helpers/apps/apps.ts";
import { newHost } from "../helpers/apps/plugin-host.ts";

const engine = createEngine({ plugins: [cliArgs(), envOptions()] });

/** A scope made of options, arguments and environment, as a program would see it. */
async function scopeOf(options: EngineOptions): Promise<Scope> {
  const app = await engine("shop", { stateStore: memoryStore(), argv: [], env: {}, ...options });
  await app.finalize();
  return app;
}

describe("the stage is", () => {
  const env = { ENGINE_STAGE: "engine", STAGE: "stage", USER: "ada", USERNAME: "byron" };
  it.each<[string, EngineOptions]>([
    ["option", { stage: "option", argv: ["--stage", "argument"], env }],
    ["argument", { argv: ["--stage", "argument"], env }],
    ["argument", { stage: undefined, argv: ["--stage=argument"], env }],
    ["engine", { env }],
    ["stage", { env: { ...env, ENGINE_STAGE: "" } }],
    ["ada", { env: { USER: "ada", USERNAME: "byron" } }],
    ["byron", { env: { USERNAME: "byron" } }],
    ["dev", {}],
  ])("%s of %j", async (stage, options) => {
    expect((await scopeOf(options)).stage).toBe(stage);
  });

  it.each([["a/b"], [".."], ["a\nb"]])("never %j", async (stage) => {
    expect(await rejection(scopeOf({ env: { STAGE: stage } }))).toMatchObject({
      code: "INVALID_NAME",
      message: expect.stringContaining("(from STAGE)"),
    });
  });
});

describe("the password is", () => {
  it("the option before ENGINE_PASSWORD", async () => {
    const env = { ENGINE_PASSWORD: "environment" };
    expect((await scopeOf({ password: "option", env })).password).toBe("option");
    expect((await scopeOf({ env })).password).toBe("environment");
    expect((await scopeOf({ env: { ENGINE_PASSWORD: "" } })).password).toBeUndefined();
  });
});

describe("what opens secrets is", () => {
  const both = { ENGINE_PASSWORD: "environment", ENGINE_KEY: "environment" };
  it("one thing, and who says two hears of it in one sentence", async () => {
    const error = await rejection(scopeOf({ env: both }));
    expect(error).toMatchObject({
      code: "INVALID_OPTION",
      message:
        "ENGINE_PASSWORD and ENGINE_KEY are both set, but only one of them may be set. Unset the one that you do not use.",
    });
  });

  it("what an argument says, whatever the environment does", async () => {
    expect((await scopeOf({ argv: ["--key-command", "op read"], env: both })).password).toBeUndefined();
  });
});

describe("the state store is", () => {
  const own = memoryStore();
  const redis = redisStore();
  const env = { ENGINE_STATE: "redis://environment" };
  /** The store option and its origin, before the store is opened. */
  const chosenBy = (given: EngineOptions): unknown => {
    const host = newHost();
    installPlugins([cliArgs(), envOptions()], host);
    const context = { appName: "shop", options: { argv: [], env: {}, ...given }, origins: {}, warnings: [] };
    const { options, origins } = host.calls.options.call(context);
    return [options.stateStore, origins.stateStore];
  };

  it.each<[string, EngineOptions, unknown, string | undefined]>([
    ["the program's own, whatever the environment says", { stateStore: own, env }, own, undefined],
    ["the program's URL", { stateStore: "s3://option", env }, "s3://option", undefined],
    ["what an argument says", { argv: ["--state", "s3://argument"], env }, "s3://argument", "--state"],
    ["what ENGINE_STATE says", { env }, "redis://environment", "ENGINE_STATE"],
    ["nobody's, if ENGINE_STATE is empty", { env: { ENGINE_STATE: "" } }, undefined, undefined],
    ["what ENGINE_STATE says, of redisStore()", { stateStore: redis, env }, "redis://environment", "ENGINE_STATE"],
    [
      "an argument's, of redisStore()",
      { stateStore: redis, argv: ["--state=rediss://a"], env },
      "rediss://a",
      "--state",
    ],
    ["redisStore(), if nobody says more", { stateStore: redis }, redis, undefined],
  ])("%s", (_whose, given, store, origin) => expect(chosenBy(given)).toEqual([store, origin]));

  it.each<[string, EngineOptions, string]>([
    ["--state beside the program's own", { stateStore: own, argv: ["--state", "s3://a"] }, "both name a state store"],
    ["--state beside a URL", { stateStore: "s3://a", argv: ["--state", "s3://b"] }, "both name a state store"],
    [
      "--state of another scheme",
      { stateStore: redis, argv: ["--state", "s3://a"] },
      "--state must begin with redis:// or rediss://",
    ],
    ["ENGINE_STATE of another scheme", { stateStore: s3Store(), env }, "ENGINE_STATE must begin with s3://"],
  ])("never that of %s", (_whose, given, message) => {
    expect(() => chosenBy(given)).toThrow(message);
  });
});

describe("an argument of the command line", () => {
  it.each<[string, EngineOptions]>([
    ["--destroy", { phase: "destroy" }],
    ["--read", { phase: "read" }],
    ["--quiet", { quiet: true }],
    ["--stage=prod", { stage: "prod" }],
    ["--local", { local: true, watch: false }],
    ["--dev", { local: true, watch: true }],
    ["--watch", { local: false, watch: true }],
    ["--force", { force: true }],
    ["--adopt", { adopt: true }],
    ["--tunnel", { tunnel: true }],
  ])("%s gives a scope with %j", async (argument, expected) => {
    expect(await scopeOf({ argv: [argument] })).toMatchObject(expected);
  });

  it.each([
    ["--erase-secrets", "ERASE_REQUIRES_FORCE"],
    ["--stage", "INVALID_ARGUMENT"],
  ])("%s is %s", async (argument, code) => {
    expect(await rejection(scopeOf({ argv: [argument] }))).toMatchObject({ code });
  });

  it("that the program overrules is overruled", async () => {
    const app = await scopeOf({ argv: ["--quiet", "--force", "--stage=prod"], quiet: false, stage: "dev" });
    expect([app.quiet, app.force, app.stage]).toEqual([false, true, "dev"]);
  });

  it("that no plugin knows is left alone", async () => {
    expect((await scopeOf({ argv: ["deploy", "--region", "eu", "-v"] })).phase).toBe("up");
  });
});

describe("a phase that the program gives and another one as an argument", () => {
  it("warn, naming both, and the program's holds", async () => {
    const warnings: string[] = [];
    const listening = {
      name: "listening",
      apply: ({ events }: Pick<Scope, "events">) =>
        events.on("warning", ({ code, message }) => void warnings.push(`${code}: ${message}`)),
    };
    const app = await scopeOf({ phase: "up", argv: ["--destroy"], plugins: [listening] });
    expect(app.phase).toBe("up");
    expect(warnings).toEqual([
      'PHASE_CONFLICT: The run uses the phase "up" (set in the program), not the one given with --destroy. Remove the option or the flag.',
    ]);
  });
});
