import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../core/contract/index.js";
import { scopeOptions } from "../../core/options/index.js";
import { failureOf, resolved, untyped } from "../helpers/apps/options.ts";

describe("scopeOptions", () => {
  const parent = resolved(
    { stage: "prod", password: "outer", quiet: true, profile: "work" },
    { stage: "--stage", quiet: "--quiet", password: "ENGINE_PASSWORD" },
  );

  it("inherits every option", () => {
    expect(scopeOptions(parent, {})).toEqual(parent);
  });

  it.each<[string, EngineOptions]>([
    ["password", { password: "inner" }],
    ["quiet", { quiet: false }],
    ["force", { force: true }],
    ["adopt", { adopt: true }],
    ["local", { local: true }],
    ["watch", { watch: true }],
    ["profile", { profile: "home" }],
    ["destroyStrategy", { destroyStrategy: "parallel" }],
    ["destroyOrphans", { destroyOrphans: false }],
  ])("overrides %s", (_name, overrides) => {
    const { origins, ...options } = scopeOptions(parent, overrides);
    const { origins: _parentOrigins, ...inherited } = parent;
    expect(options).toEqual({ ...inherited, ...overrides });
    expect(origins.stage).toBe("--stage");
  });

  it("takes a key in place of the password around it, and a password in place of a key, and not both", () => {
    const own = scopeOptions(parent, { key: "inner" });
    expect([own.password, own.key]).toEqual([undefined, "inner"]);
    const inner = scopeOptions(resolved({ key: { command: "op" } }, { key: "ENGINE_KEY_COMMAND" }), { password: "p" });
    expect([inner.password, inner.key]).toEqual(["p", undefined]);
    expect(failureOf(() => scopeOptions(parent, { key: "inner", password: "too" }))).toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("cannot be combined"),
    });
  });

  it("forgets where an overridden option came from", () => {
    expect(scopeOptions(parent, { quiet: false, password: "inner" }).origins).toEqual({ stage: "--stage" });
  });

  it("counts an override that is undefined as absent", () => {
    expect(scopeOptions(parent, { password: undefined }).password).toBe("outer");
  });

  it.each<EngineOptions>([
    { stage: "dev" },
    { phase: "destroy" },
    { stateStore: () => neverMade() },
    { concurrency: 1 },
  ])("refuses %j, which belongs to the whole app", (overrides) => {
    expect(failureOf(() => scopeOptions(parent, overrides))).toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("belongs to the whole app: pass it to engine()"),
    });
  });

  it("refuses unknown names and wrong values as engine() does", () => {
    expect(failureOf(() => scopeOptions(parent, untyped({ quite: true }))).message).toContain('Did you mean "quiet"?');
    expect(failureOf(() => scopeOptions(parent, untyped({ force: 1 }))).message).toContain("must be true or false");
  });

  it("changes nothing in the parent's", () => {
    const before = inspect(parent);
    scopeOptions(parent, { force: true });
    expect(inspect(parent)).toBe(before);
  });
});

function neverMade(): never {
  throw new Error("This store is never made.");
}
