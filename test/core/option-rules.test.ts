import { describe, expect, it } from "vitest";
import { dropUndefined } from "../../core/options/index.js";
import { failureOf, resolved, untyped } from "../helpers/apps/options.ts";

describe("an option that is not allowed", () => {
  it.each<[string, unknown, string]>([
    ["phase", "deploy", '"up" or "destroy" or "read", not "deploy"'],
    ["phase", 1, "not 1"],
    ["stage", 5, "must be a string, not a number"],
    ["password", 12345678, "must be a non-empty string, not a number"],
    ["password", "", "must be a non-empty string, not an empty string"],
    ["profile", {}, "must be a non-empty string, not an object"],
    ["rootDir", "", "not an empty string"],
    ["rootDir", new URL("file:///srv"), "not an object"],
    ["local", "yes", "must be true or false, not a string"],
    ["watch", 1, "must be true or false, not a number"],
    ["tunnel", null, "must be true or false, not null"],
    ["force", "true", "must be true or false, not a string"],
    ["quiet", [], "must be true or false, not an array"],
    ["adopt", () => true, "must be true or false, not a function"],
    ["noTrack", 1n, "not a bigint"],
    ["destroyOrphans", "no", "must be true or false"],
    ["destroyStrategy", "paralel", '"sequential" or "parallel", not "paralel"'],
    ["destroyStrategy", "toString", 'not "toString"'],
    ["stateStore", 1, "must be a state store, a function that makes one, a URL, or a Keyv instance, not a number"],
    [
      "stateStore",
      "",
      "must be a state store, a function that makes one, a URL, or a Keyv instance, not an empty string",
    ],
    ["unprotect", "yes", "must be true or false"],
    ["eraseSecrets", "yes", "must be true or false"],
    ["plugins", { name: "x" }, "must be a list of plugins, not an object"],
    ["plugins", ["x"], "must be a list of plugins, not a list with a string"],
    ["plugins", [{}, undefined], "must be a list of plugins, not a list with undefined"],
    ["concurrency", 0, "must be a whole number of at least 1, not 0"],
    ["concurrency", Number.NaN, "not NaN"],
    ["concurrency", 1.5, "not 1.5"],
    ["concurrency", Number.POSITIVE_INFINITY, "not Infinity"],
    ["concurrency", "8", 'must be a whole number of at least 1, not "8"'],
    ["lockTimeout", -1, "must be a number of milliseconds, 0 or more, not -1"],
    ["lockTimeout", Number.NaN, "not NaN"],
    ["lockTimeout", "30s", 'not "30s"'],
    ["durability", "wait", '"normal" or "full", not "wait"'],
    ["plan", "yes", "must be true or false"],
    ["refresh", 1, "must be true or false"],
    ["target", "shop/dev/*", "must be a list of FQN patterns, not a string"],
    ["exclude", [1], "must be a list of FQN patterns"],
    ["maxDeletes", -1, 'must be a whole number of at least 0, or a percentage such as "20%", not -1'],
    ["maxDeletes", "120%", 'must be a whole number of at least 0, or a percentage such as "20%", not "120%"'],
    ["reapply", "x", "must be true or false"],
    ["signal", new AbortController(), "must be an AbortSignal, not an object"],
    ["json", 1, "must be true or false"],
    ["logger", { info() {} }, "must be an object with the functions info and error"],
    ["logger", "console", "not a string"],
    ["telemetry", "off", "must be false or an object with a name and the function send"],
    ["argv", "--stage prod", "must be a list of strings, not a string"],
    ["argv", [1], "must be a list of strings"],
    ["env", "A=b", "must be an object of strings, not a string"],
    ["env", null, "must be an object of strings, not null"],
  ])("%s: %o is INVALID_OPTION and says what is", (name, value, message) => {
    const failure = failureOf(() => resolved(untyped({ [name]: value })));
    expect(failure.code).toBe("INVALID_OPTION");
    expect(failure.message).toContain(`Option "${name}" must be `);
    expect(failure.message).toContain(message);
  });

  it("is named with where it came from", () => {
    const { message } = failureOf(() => resolved({ concurrency: -1 }, { concurrency: "--concurrency" }));
    expect(message).toBe('Option "concurrency" (from --concurrency) must be a whole number of at least 1, not -1.');
  });

  it("does not show the value of a password", () => {
    const { message } = failureOf(() => resolved(untyped({ password: 4711 })));
    expect(message).not.toContain("4711");
  });

  it("does not repeat a long value", () => {
    const { message } = failureOf(() => resolved(untyped({ phase: "x".repeat(10_000) })));
    expect(message.length).toBeLessThan(200);
  });

  it.each([
    ["stagee", 'Did you mean "stage"?'],
    ["Stage", 'Did you mean "stage"?'],
    ["statestore", 'Did you mean "stateStore"?'],
    ["destroyStratgey", 'Did you mean "destroyStrategy"?'],
    ["colour", "The options are: phase, stage,"],
    ["constructor", "The options are: phase, stage,"],
    ["__proto__", "The options are: phase, stage,"],
  ])("by the unknown name %s is INVALID_OPTION with the nearest name", (name, hint) => {
    const failure = failureOf(() => resolved(untyped(Object.fromEntries([[name, true]]))));
    expect(failure.code).toBe("INVALID_OPTION");
    expect(failure.message).toContain(`There is no option "${name}". `);
    expect(failure.message).toContain(hint);
  });

  it.each([null, "prod", 5, [], true])("%j instead of the options is INVALID_OPTION", (options) => {
    const failure = failureOf(() => Reflect.apply(dropUndefined, undefined, [options]));
    expect(failure).toMatchObject({ code: "INVALID_OPTION", message: expect.stringContaining("must be an object") });
  });
});
