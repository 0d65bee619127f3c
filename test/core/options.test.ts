import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../core/contract/index.js";
import { dropUndefined, resolveStage } from "../../core/options/index.js";
import { cwd, failureOf, resolved, untyped } from "../helpers/apps/options.ts";

describe("the default of each option", () => {
  it.each<[keyof EngineOptions, unknown]>([
    ["phase", "up"],
    ["stage", "dev"],
    ["password", undefined],
    ["profile", undefined],
    ["rootDir", cwd],
    ["local", false],
    ["watch", false],
    ["tunnel", false],
    ["force", false],
    ["quiet", false],
    ["adopt", false],
    ["noTrack", false],
    ["destroyOrphans", true],
    ["destroyStrategy", "sequential"],
    ["stateStore", undefined],
    ["unprotect", false],
    ["eraseSecrets", false],
    ["plugins", []],
    ["concurrency", 64],
    ["lockTimeout", 0],
    ["durability", "normal"],
    ["plan", false],
    ["refresh", false],
    ["target", undefined],
    ["exclude", undefined],
    ["maxDeletes", undefined],
    ["reapply", false],
    ["signal", undefined],
    ["json", false],
    ["telemetry", undefined],
    ["logger", undefined],
    ["argv", undefined],
    ["env", undefined],
  ])("%s: %j", (name, value) => {
    expect(resolved()[name]).toEqual(value);
  });

  it("yields to every option that was given", () => {
    const signal = new AbortController().signal;
    const logger = { info() {}, error() {} };
    const given = {
      phase: "destroy",
      stage: "prod",
      password: "secret",
      profile: "work",
      local: true,
      watch: true,
      force: true,
      quiet: true,
      adopt: true,
      noTrack: true,
      destroyOrphans: false,
      destroyStrategy: "parallel",
      plugins: [{ name: "own", apply() {} }],
      concurrency: 1,
      lockTimeout: 1500.5,
      durability: "full",
      reapply: true,
      signal,
      json: true,
      logger,
      telemetry: false,
      argv: ["--x"],
      env: { A: "b", B: undefined },
    } satisfies EngineOptions;
    expect(resolved(given)).toMatchObject(given);
  });

  it("also stands for a member that is present but undefined", () => {
    expect(resolved({ phase: undefined, concurrency: undefined }).concurrency).toBe(64);
  });

  it("cannot be changed afterwards", () => {
    expect(Object.isFrozen(resolved())).toBe(true);
  });
});

describe("rootDir", () => {
  it("is made absolute from the current working directory", () => {
    expect(resolved({ rootDir: "infra" }).rootDir).toBe(resolve(cwd, "infra"));
  });

  it("stays as it is when it is absolute", () => {
    expect(resolved({ rootDir: resolve("/srv/app") }).rootDir).toBe(resolve("/srv/app"));
  });
});

describe("the stage", () => {
  it.each(["", ".", "a/b", "a\nb", "x".repeat(257)])("%j is INVALID_NAME", (stage) => {
    expect(failureOf(() => resolved({ stage })).code).toBe("INVALID_NAME");
  });

  it("that the environment names wrongly is reported with its variable", () => {
    const { message } = failureOf(() => resolved({ stage: "team/ann" }, { stage: "USER" }));
    expect(message).toContain('Option "stage" (from USER) is not a valid stage: "team/ann" contains "/".');
  });
});

describe("resolveStage", () => {
  it.each([
    ["ENGINE_STAGE first", { ENGINE_STAGE: "a", STAGE: "b", USER: "c", USERNAME: "d" }, "a", "ENGINE_STAGE"],
    ["STAGE second", { STAGE: "b", USER: "c", USERNAME: "d" }, "b", "STAGE"],
    ["USER third", { USER: "c", USERNAME: "d" }, "c", "USER"],
    ["USERNAME last", { USERNAME: "d" }, "d", "USERNAME"],
    ["a variable that is not empty before one that is", { ENGINE_STAGE: "", STAGE: "", USER: "c" }, "c", "USER"],
  ])("takes %s", (_case, env, stage, origin) => {
    expect(resolveStage(env)).toEqual({ stage, origin });
  });

  it("finds none in an environment without such variables", () => {
    expect(resolveStage({ HOME: "/root", ENGINE_STAGE: "" })).toBeUndefined();
  });
});

describe("eraseSecrets", () => {
  it("without force is ERASE_REQUIRES_FORCE", () => {
    expect(failureOf(() => resolved({ eraseSecrets: true }))).toMatchObject({
      code: "ERASE_REQUIRES_FORCE",
      message: expect.stringContaining("{ force: true } or --force"),
    });
  });

  it("names the argument that it came from", () => {
    const { message } = failureOf(() => resolved({ eraseSecrets: true }, { eraseSecrets: "--erase-secrets" }));
    expect(message).toContain("--erase-secrets");
  });
});

describe("dropUndefined", () => {
  it("removes members that are undefined and keeps those that are false, 0 or null", () => {
    const options = untyped({ stage: undefined, force: false, lockTimeout: 0, password: null });
    expect(Object.keys(dropUndefined(options))).toEqual(["force", "lockTimeout", "password"]);
  });

  it("makes no options of none", () => {
    expect(dropUndefined(undefined)).toEqual({});
  });
});
