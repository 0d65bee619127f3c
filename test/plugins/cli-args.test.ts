import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { EngineOptions, OptionsContext } from "../../core/contract/index.js";
import { installPlugins } from "../../core/plugin/index.js";
import { cliArgs } from "../../plugins/cli-args/index.js";
import { newHost } from "../helpers/apps/plugin-host.ts";

/** Options that the plugin derives from a command line and the program's options. */
function run(argv: readonly string[] | undefined, given: EngineOptions = {}, origins: OptionsContext["origins"] = {}) {
  const host = newHost();
  installPlugins([cliArgs()], host);
  const options = argv === undefined ? given : { ...given, argv };
  const context = host.calls.options.call({ appName: "shop", options, origins, warnings: [] });
  const { argv: _argv, ...filled } = context.options;
  return { ...context, options: filled };
}

afterEach(() => vi.restoreAllMocks());

const invalid = (message: string) =>
  expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) });

describe("each argument", () => {
  it.each<[string, readonly string[], EngineOptions]>([
    ["--destroy: phase destroy", ["--destroy"], { phase: "destroy" }],
    ["--read: phase read", ["--read"], { phase: "read" }],
    ["--quiet: no log output", ["--quiet"], { quiet: true }],
    ["--stage <name>: the stage", ["--stage", "prod"], { stage: "prod" }],
    ["--local: simulated locally", ["--local"], { local: true }],
    ["--dev: local and watch", ["--dev"], { local: true, watch: true }],
    ["--watch: watch mode", ["--watch"], { watch: true }],
    ["--force: updates are forced", ["--force"], { force: true }],
    ["--tunnel: tunnels", ["--tunnel"], { tunnel: true }],
    ["--adopt: adoption", ["--adopt"], { adopt: true }],
    ["--unprotect: what is targeted by name is deleted", ["--unprotect"], { unprotect: true }],
    ["--erase-secrets: secrets are erased", ["--erase-secrets"], { eraseSecrets: true }],
    ["--plan", ["--plan"], { plan: true }],
    ["--full", ["--full"], { full: true }],
    ["--refresh", ["--refresh"], { refresh: true }],
    ["--target GLOB", ["--target", "**/web"], { target: ["**/web"] }],
    ["--exclude GLOB", ["--exclude", "**/web"], { exclude: ["**/web"] }],
    ["--target-dependents", ["--target-dependents"], { targetDependents: true }],
    ["--exclude-dependents", ["--exclude-dependents"], { excludeDependents: true }],
    ["--max-deletes N", ["--max-deletes", "10"], { maxDeletes: 10 }],
    ["--json", ["--json"], { json: true }],
    ["--verbose", ["--verbose"], { verbose: true }],
    ["--concurrency N", ["--concurrency", "8"], { concurrency: 8 }],
    ["--lock-timeout D", ["--lock-timeout", "30s"], { lockTimeout: 30_000 }],
    ["--profile X", ["--profile", "work"], { profile: "work" }],
    ["--root-dir X", ["--root-dir", "./infra"], { rootDir: "./infra" }],
  ])("%s", (_row, argv, options) => {
    const context = run(argv);
    expect(context.options).toEqual(options);
    expect(context.origins).toEqual(Object.fromEntries(Object.keys(options).map((name) => [name, argv[0]])));
    expect(context.warnings).toEqual([]);
  });

  it("is read from the process where no argv is given", () => {
    vi.spyOn(process, "argv", "get").mockReturnValue(["node", "app.ts", "--stage", "from-process"]);
    expect(run(undefined).options).toEqual({ stage: "from-process" });
  });

  it("is not read from the process where argv is empty", () => {
    vi.spyOn(process, "argv", "get").mockReturnValue(["node", "app.ts", "--destroy"]);
    expect(run([]).options).toEqual({});
  });
});

it.each(["--stage prod", [1], null])("an argv of %j is INVALID_OPTION", (argv) => {
  expect(() => run(undefined, Object.fromEntries([["argv", argv]]))).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTION",
      message: expect.stringContaining('Option "argv" must be a list of strings'),
    }),
  );
});

describe("the phase", () => {
  it("cannot be both --destroy and --read", () => {
    expect(() => run(["--destroy", "--read"], { phase: "up" })).toThrow(invalid("--destroy contradicts --read"));
  });

  it.each([
    ["up", "--destroy"],
    ["up", "--read"],
    ["destroy", "--read"],
    ["read", "--destroy"],
  ] as const)("%s, given explicitly, wins over %s with a warning that names both", (phase, flag) => {
    const context = run([flag], { phase });
    expect(context.options.phase).toBe(phase);
    expect(context.origins).toEqual({});
    expect(context.warnings).toEqual([
      {
        code: "PHASE_CONFLICT",
        message: `The run uses the phase "${phase}" (set in the program), not the one given with ${flag}. Remove the option or the flag.`,
      },
    ]);
  });

  it("that was given as the argument says is not a conflict", () => {
    expect(run(["--destroy"], { phase: "destroy" }).warnings).toEqual([]);
  });

  it("that another plugin had given is named with its origin", () => {
    const [warning] = run(["--destroy"], { phase: "read" }, { phase: "READ_ONLY" }).warnings;
    expect(warning?.message).toContain('the phase "read" (READ_ONLY), not the one');
  });
});

describe("an explicit option", () => {
  it.each([
    ["dev", ["STAGE_CONFLICT"]],
    ["prod", []],
  ])("for the stage %s wins over --stage prod, which is not ignored in silence", (stage, codes) => {
    const { options, warnings } = run(["--stage", "prod"], { stage });
    expect(options.stage).toBe(stage);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });

  it("wins over an argument", () => {
    const context = run(["--stage=prod", "--force", "--concurrency=2"], { stage: "dev", force: false });
    expect(context.options).toEqual({ stage: "dev", force: false, concurrency: 2 });
    expect(context.origins).toEqual({ concurrency: "--concurrency" });
  });

  it("that is undefined does not erase an argument", () => {
    expect(run(["--stage", "prod"], { stage: undefined }).options.stage).toBe("prod");
  });

  it.each([
    ["--pln", "--plan"],
    ["--stge=prod", "--stage"],
    ["--destory", "--destroy"],
    ["--Force", "--force"],
    ["--maxDeletes=1", "--max-deletes"],
    ["--no-refesh", "--refresh"],
    ["-plan", "--plan"],
  ])("is not guessed from a slip such as %s, and nothing is run", (given, near) => {
    const flag = given.split("=")[0];
    expect(() => run(["--stage", "prod", given])).toThrow(
      invalid(`Argument ${flag} is not a flag of the engine: did you mean ${near}?`),
    );
  });

  it("is nothing that resembles no flag, is the value of one, or comes behind the dashes", () => {
    const own = ["--port=80", "--colour", "-p", "plan", "--no-plan", "--profile", "-plan", "--", "--pln", "--stge"];
    expect(run(own)).toMatchObject({ options: { plan: false, profile: "-plan" }, warnings: [] });
  });

  it("keeps warnings and origins of plugins that came before", () => {
    const host = newHost();
    installPlugins([cliArgs()], host);
    const warning = { code: "EARLIER", message: "Said before." };
    const options = { argv: ["--read"], stage: "x" };
    const context = host.calls.options.call({
      appName: "shop",
      options,
      origins: { stage: "FILE" },
      warnings: [warning],
    });
    expect(context.origins).toEqual({ stage: "FILE", phase: "--read" });
    expect(context.warnings).toEqual([warning]);
  });
});

describe("--password-file", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cli-args-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function file(name: string, content: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  it.each([
    ["without a line break", "hunter2"],
    ["with a line break", "hunter2\n"],
    ["with a Windows line break", "hunter2\r\n"],
    ["with more lines", "hunter2\nsecond\n"],
  ])("takes the first line of a file %s", async (name, content) => {
    const context = run(["--password-file", await file(name, content)]);
    expect(context.options).toEqual({ password: "hunter2" });
    expect(context.origins).toEqual({ password: "--password-file" });
  });

  it("keeps blanks, which are part of a password", async () => {
    expect(run([`--password-file=${await file("blanks", " a b \n")}`]).options.password).toBe(" a b ");
  });

  it.each([
    ["that is empty", ""],
    ["whose first line is empty", "\nhunter2\n"],
  ])("refuses a file %s", async (name, content) => {
    const path = await file(name, content);
    expect(() => run(["--password-file", path])).toThrow(invalid(`"${path}" has no password in its first line`));
  });

  it("that cannot be read is INVALID_ARGUMENT naming the file", () => {
    const path = join(folder, "absent");
    expect(() => run(["--password-file", path])).toThrow(invalid(`"${path}" cannot be read: ENOENT`));
    expect(() => run(["--password-file", folder])).toThrow(invalid(`"${folder}" cannot be read: EISDIR`));
  });

  it("is not read where the password is given explicitly", () => {
    const context = run(["--password-file", join(folder, "absent")], { password: "given" });
    expect(context.options.password).toBe("given");
    expect(context.origins).toEqual({});
  });

  it("has counterparts for a key", async () => {
    const text = "# mine\nscope-engine-key-1-x\n";
    const path = await file("key", text);
    for (const [flag, said, key] of [
      ["--key-file", path, text],
      ["--key-command", "op read key", { command: "op read key" }],
    ] as const) {
      expect(run([flag, said])).toMatchObject({ options: { key }, origins: { key: flag } });
      expect(run([flag, said], { password: "given" }).options).toEqual({ password: "given" });
    }
  });

  it("and its counterparts: the last one counts", async () => {
    const password = await file("password", "hunter2\n");
    expect(run(["--key-command", "x", "--password-file", password]).options).toEqual({ password: "hunter2" });
    expect(run(["--password-file", password, "--key-command", "x"]).options).toEqual({ key: { command: "x" } });
  });
});
