import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { EngineOptions } from "../../core/contract/index.js";
import { resolveOptions } from "../../core/options/index.js";
import { installPlugins } from "../../core/plugin/index.js";
import { cliArgs } from "../../plugins/cli-args/index.js";
import { envAccess } from "../../plugins/env-options/env-access.js";
import { envOptions } from "../../plugins/env-options/index.js";
import { newHost } from "../helpers/apps/plugin-host.ts";

type Environment = Record<string, string | undefined>;

/** Options that the plugins derive from an environment and the program's options. */
function run(given: EngineOptions, plugins = [envOptions()]) {
  const host = newHost();
  installPlugins(plugins, host);
  return host.calls.options.call({ appName: "shop", options: given, origins: {}, warnings: [] });
}

describe("the environment", () => {
  it.each<[string, Environment, EngineOptions, object]>([
    [
      "ENGINE_STAGE before all",
      { ENGINE_STAGE: "a", STAGE: "b", USER: "c", USERNAME: "d" },
      { stage: "a" },
      { stage: "ENGINE_STAGE" },
    ],
    ["STAGE before USER", { STAGE: "b", USER: "c", USERNAME: "d" }, { stage: "b" }, { stage: "STAGE" }],
    ["USER before USERNAME", { USER: "c", USERNAME: "d" }, { stage: "c" }, { stage: "USER" }],
    ["USERNAME", { USERNAME: "d" }, { stage: "d" }, { stage: "USERNAME" }],
    ["ENGINE_PASSWORD", { ENGINE_PASSWORD: "hunter2" }, { password: "hunter2" }, { password: "ENGINE_PASSWORD" }],
    ["ENGINE_KEY", { ENGINE_KEY: "a key" }, { key: "a key" }, { key: "ENGINE_KEY" }],
    [
      "ENGINE_KEY_COMMAND",
      { ENGINE_KEY: "", ENGINE_KEY_COMMAND: "op read" },
      { key: { command: "op read" } },
      { key: "ENGINE_KEY_COMMAND" },
    ],
    ["node --watch", { WATCH_REPORT_DEPENDENCIES: "1" }, { watch: true }, { watch: "node --watch" }],
    ["nothing", { HOME: "/root", PATH: "/bin" }, {}, {}],
    [
      "nothing from empty variables",
      { ENGINE_STAGE: "", USER: "", ENGINE_PASSWORD: "", WATCH_REPORT_DEPENDENCIES: "" },
      {},
      {},
    ],
  ])("gives %s", (_row, env, options, origins) => {
    const context = run({ env });
    expect(context.options).toEqual({ ...options, env });
    expect(context.origins).toEqual(origins);
  });

  it("yields to options that are already set", () => {
    const env = { ENGINE_STAGE: "a", ENGINE_PASSWORD: "b", WATCH_REPORT_DEPENDENCIES: "1" };
    const given = { stage: "x", password: "y", watch: false };
    const context = run({ ...given, env });
    expect(context.options).toEqual({ ...given, env });
    expect(context.origins).toEqual({});
  });

  it.each([
    ["a password", { password: "y" }, { ENGINE_KEY: "b" }],
    ["a key", { key: "y" }, { ENGINE_PASSWORD: "b" }],
    ["a key, and says nothing of its own contradiction", { key: "y" }, { ENGINE_PASSWORD: "b", ENGINE_KEY: "c" }],
  ])("yields to %s", (_, given, env) => {
    expect(run({ ...given, env }).options).toEqual({ ...given, env });
  });

  it.each([
    { ENGINE_PASSWORD: "a", ENGINE_KEY: "b" },
    { ENGINE_PASSWORD: "a", ENGINE_KEY_COMMAND: "b" },
    { ENGINE_KEY: "a", ENGINE_KEY_COMMAND: "b" },
  ])("says one thing of what opens secrets: %j is refused", (env) => {
    const [one, other] = Object.keys(env);
    expect(() => run({ env })).toThrow(`${one} and ${other} are both set`);
  });

  it("fills in one option where another was given", () => {
    expect(run({ stage: "x", env: { ENGINE_STAGE: "a", ENGINE_PASSWORD: "b" } }).options).toMatchObject({
      stage: "x",
      password: "b",
    });
  });

  it("is that of the process where none is given", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("ENGINE_STAGE", "from-process");
    expect(run({}).options.stage).toBe("from-process");
    expect(run({ env: {} }).options).toEqual({ env: {} });
  });
});

describe("precedence", () => {
  const env = { ENGINE_STAGE: "from-env", ENGINE_PASSWORD: "p", USER: "ann" };
  const stageOf = (given: EngineOptions) => resolveOptions(run(given, [cliArgs(), envOptions()]), "/").stage;

  it.each<[string, EngineOptions, string]>([
    ["option > argument", { stage: "from-option", argv: ["--stage", "from-argument"], env }, "from-option"],
    ["argument > environment", { argv: ["--stage", "from-argument"], env }, "from-argument"],
    ["argument > environment, also beside an undefined option", { stage: undefined, argv: ["--stage=a"], env }, "a"],
    ["environment > default", { argv: [], env }, "from-env"],
    ["the user's name > default", { argv: [], env: { USER: "ann" } }, "ann"],
    ["default", { argv: [], env: {} }, "dev"],
  ])("%s", (_row, given, stage) => {
    expect(stageOf(given)).toBe(stage);
  });

  it("--no-watch > node --watch", () => {
    const given = { argv: ["--no-watch"], env: { WATCH_REPORT_DEPENDENCIES: "1" } };
    expect(run(given, [cliArgs(), envOptions()]).options.watch).toBe(false);
  });
});

describe("node --watch", () => {
  it("still tells its child by WATCH_REPORT_DEPENDENCIES", async () => {
    const folder = await mkdtemp(join(tmpdir(), "env-watch-"));
    const script = join(folder, "program.mjs");
    await writeFile(script, 'console.log("told:", process.env.WATCH_REPORT_DEPENDENCIES);');
    try {
      const line = await new Promise<string>((done, fail) => {
        const child = execFile(process.execPath, ["--watch", script], { env: {} });
        child.on("error", fail);
        child.stdout?.on("data", (chunk: string) => {
          if (!chunk.includes("told:")) return;
          child.kill();
          done(chunk);
        });
      });
      expect(line).toContain("told: 1");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("engine.env", () => {
  const env: Environment = { HOME: "/root", EMPTY: "", ABSENT: undefined };
  const access = envAccess(() => env);

  it("gives the value of a variable", () => {
    expect(access.HOME).toBe("/root");
  });

  it.each([
    ["not set", "MISSING"],
    ["not set", "ABSENT"],
    ["empty", "EMPTY"],
  ])("throws ENV_MISSING where the variable is %s, naming it: %s", (state, name) => {
    expect(() => access[name]).toThrow(
      expect.objectContaining({
        code: "ENV_MISSING",
        message: `The environment variable ${name} is ${state}. Set it. If it may be missing, check that "${name}" is in engine.env first.`,
      }),
    );
  });

  it("tells by `in` and Object.keys which variables are there", () => {
    expect("HOME" in access).toBe(true);
    expect("EMPTY" in access).toBe(false);
    expect("MISSING" in access).toBe(false);
    expect(Object.keys(access)).toEqual(["HOME"]);
    expect({ ...access }).toEqual({ HOME: "/root" });
  });

  it("asks again on every access", () => {
    const later: Environment = {};
    const read = envAccess(() => later);
    expect(() => read.TOKEN).toThrow("TOKEN is not set");
    later.TOKEN = "t";
    expect(read.TOKEN).toBe("t");
  });

  it("can be awaited, printed, serialised and put into a template", async () => {
    await expect(Promise.resolve(access)).resolves.toBe(access);
    expect(JSON.stringify(access)).toBe('{"HOME":"/root"}');
    expect(String(access)).toBe("[object Object]");
    expect(inspect(access)).toBe("{}");
  });

  it("cannot be changed", () => {
    expect(Reflect.set(access, "HOME", "/tmp")).toBe(false);
    expect(Reflect.set(access, "NEW", "x")).toBe(false);
    expect(Reflect.deleteProperty(access, "HOME")).toBe(false);
    expect(env).toEqual({ HOME: "/root", EMPTY: "", ABSENT: undefined });
  });
});
