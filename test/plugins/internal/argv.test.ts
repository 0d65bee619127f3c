import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { parseArgv } from "../../../plugins/internal/flags/handed-over.js";

const invalid = (message: string) =>
  expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) });

describe("a value", () => {
  it.each<[string, readonly string[], EngineOptions]>([
    ["may follow an equals sign: --stage=prod", ["--stage=prod"], { stage: "prod" }],
    ["may hold equals signs", ["--stage=a=b"], { stage: "a=b" }],
    ["may begin with two dashes after an equals sign", ["--stage=--prod"], { stage: "--prod" }],
    ["may begin with one dash", ["--profile", "-x"], { profile: "-x" }],
    ["may look like a flag without its dashes", ["--stage", "force", "--quiet"], { stage: "force", quiet: true }],
    [
      "is not read as a flag of its own",
      ["--stage", "prod", "--stage=dev", "--profile", "x"],
      { stage: "dev", profile: "x" },
    ],
  ])("%s", (_case, argv, options) => {
    expect(parseArgv(argv).options).toEqual(options);
  });

  it.each([
    ["at the end", ["--stage"]],
    ["before another flag of ours", ["--stage", "--force"]],
    ["before a flag of the program", ["--stage", "--verbose"]],
    ["before --", ["--stage", "--", "prod"]],
    ["after an equals sign", ["--stage="]],
    ["because a shell variable was empty", ["--stage", ""]],
  ])("that is missing %s is INVALID_ARGUMENT naming the flag", (_case, argv) => {
    expect(() => parseArgv(argv)).toThrow(invalid("--stage needs a value, e.g. --stage prod"));
  });

  it.each([
    "--profile",
    "--root-dir",
    "--password-file",
    "--key-file",
    "--key-command",
    "--concurrency",
    "--lock-timeout",
  ])("that is missing is INVALID_ARGUMENT for %s too", (flag) => {
    expect(() => parseArgv([flag])).toThrow(invalid(`${flag} needs a value`));
  });

  it.each(["0", "-1", "1.5", "1e3", "eight", "NaN", "Infinity", " 8", "99999999999999999999"])(
    "of --concurrency must be a whole number of at least 1, not %j",
    (text) => {
      expect(() => parseArgv(["--concurrency", text])).toThrow(
        invalid("--concurrency must be a whole number of at least 1"),
      );
    },
  );

  it.each([
    ["0", 0],
    ["12", 12],
    ["20%", "20%"],
    ["12.5%", "12.5%"],
    ["100%", "100%"],
  ])("of --max-deletes is a number or a percentage: %s", (text, maxDeletes) => {
    expect(parseArgv([`--max-deletes=${text}`]).options).toEqual({ maxDeletes });
  });

  it.each(["-1", "1.5", "many", "101%", "%", "5 %", "Infinity"])("of --max-deletes cannot be %j", (text) => {
    expect(() => parseArgv([`--max-deletes=${text}`])).toThrow(
      invalid("--max-deletes must be a whole number of at least 0"),
    );
  });

  it("of --target and --exclude may be given again and again: all are taken", () => {
    const argv = ["--target", "**/a", "--exclude=**/b", "--target=**/c", "--exclude", "**/d"];
    expect(parseArgv(argv).options).toEqual({ target: ["**/a", "**/c"], exclude: ["**/b", "**/d"] });
    expect(parseArgv(argv).origins).toEqual({ target: "--target", exclude: "--exclude" });
  });

  it.each([
    ["0", 0],
    ["250", 250],
    ["500ms", 500],
    ["30s", 30_000],
    ["1.5s", 1500],
    ["5m", 300_000],
    ["2h", 7_200_000],
  ])("of --lock-timeout is a duration: %s", (text, lockTimeout) => {
    expect(parseArgv([`--lock-timeout=${text}`]).options).toEqual({ lockTimeout });
  });

  it.each(["-1", "5 m", "5min", "s", "1d", "1.s", "99999999999999999h"])("of --lock-timeout cannot be %j", (text) => {
    expect(() => parseArgv([`--lock-timeout=${text}`])).toThrow(invalid("--lock-timeout must be a duration"));
  });
});

describe("a switch", () => {
  it.each<[string, readonly string[], EngineOptions]>([
    ["--flag=true", ["--force=true"], { force: true }],
    ["--flag=false", ["--force=false"], { force: false }],
    ["--no-flag", ["--no-force"], { force: false }],
    ["--no-dev: neither local nor watch", ["--no-dev"], { local: false, watch: false }],
    ["--dev --no-watch: local only", ["--dev", "--no-watch"], { local: true, watch: false }],
    ["--destroy=false: no phase", ["--destroy=false"], {}],
    ["--no-read: no phase", ["--no-read"], {}],
  ])("can be written %s", (_case, argv, options) => {
    expect(parseArgv(argv).options).toEqual(options);
  });

  it.each([["--force=yes"], ["--force="], ["--force=1"], ["--force=TRUE"]])("refuses %s", (token) => {
    expect(() => parseArgv([token])).toThrow(invalid("--force must be true or false, not"));
  });

  it("takes no value when it is negated", () => {
    expect(() => parseArgv(["--no-force=false"])).toThrow(invalid("--no-force takes no value"));
  });

  it.each(["true", "false"])("followed by %s is an error, lest `--destroy false` destroys", (word) => {
    expect(() => parseArgv(["--destroy", word])).toThrow(
      invalid(`--destroy needs its value after "=": write --destroy=${word}`),
    );
  });

  it("leaves what follows it to the program", () => {
    expect(parseArgv(["--force", "build"]).options).toEqual({ force: true });
  });
});

describe("arguments of the program", () => {
  it.each<[string, readonly string[]]>([
    ["words", ["deploy", "prod"]],
    ["flags of other names", ["--colour", "--stage-name=all", "--enforce"]],
    ["short flags", ["-f", "-stg"]],
    ["names of an object's members", ["--constructor", "--__proto__=x", "--no-toString"]],
    ["a negated value flag", ["--no-stage"]],
    ["everything after --", ["--", "--destroy", "--stage", "prod", "--read"]],
  ])("are left alone: %s", (_case, argv) => {
    expect(parseArgv(argv)).toEqual({ options: {}, origins: {}, opener: undefined });
  });

  it("do not hide ours behind them", () => {
    expect(parseArgv(["deploy", "--colour", "--stage", "prod", "--", "--force"]).options).toEqual({ stage: "prod" });
  });
});

describe("repeated flags", () => {
  it.each<[string, readonly string[], EngineOptions]>([
    ["of a value", ["--stage", "dev", "--stage=prod"], { stage: "prod" }],
    ["of a switch", ["--force", "--no-force", "--force=true"], { force: true }],
    ["that take a phase back", ["--destroy", "--no-destroy", "--read"], { phase: "read" }],
  ])("count as the last %s", (_case, argv, options) => {
    expect(parseArgv(argv).options).toEqual(options);
  });

  it("come from the last", () => {
    expect(parseArgv(["--dev", "--watch"]).origins).toEqual({ local: "--dev", watch: "--watch" });
  });
});
