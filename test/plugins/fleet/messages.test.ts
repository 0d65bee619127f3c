import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { fleet } from "../../../plugins/fleet/index.js";
import { calmed } from "../../../plugins/fleet/warnings.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { named, tenants } from "./tenants.js";

test("a warning that is repeated many times a second is reported once", () => {
  const reported: string[] = [];
  const warn = calmed((code, message) => void reported.push(`${code} ${message}`));
  for (let time = 0; time < 100; time++) warn?.("QUEUE_FAILED", "no answer");
  warn?.("QUEUE_FAILED", "refused");
  expect(reported).toEqual(["QUEUE_FAILED no answer", "QUEUE_FAILED refused"]);
});

test.each([
  ["a function", () => {}, "UNSERIALIZABLE"],
  ["a secret without a key", new Secret("x"), "PASSWORD_REQUIRED"],
])("an input with %s names its stage, and nothing is started", async (_, value, code) => {
  const options = { stateStore: memoryStore(), env: {} };
  const begun: string[] = [];
  const made = fleet("tenants", {
    stages: [
      { stage: "ada", input: {} },
      { stage: "bob", input: { value } },
    ],
    program: (app) => void begun.push(app.stage),
    options,
  });
  const message = expect.stringContaining('The input of the stage "bob" cannot be passed on, and nothing was started');
  await expect(made.up()).rejects.toMatchObject({ code, message });
  expect(begun).toEqual([]);
});

describe("failures", () => {
  test("two causes without a resource are two groups, whatever names and numbers their messages hold", async () => {
    const made = tenants(["ada", "bob", ...named(4)]);
    const messages = new Map([
      ["ada", 'The server "db1" of ada refused 12 connections: 10.0.0.1:5432, 10.0.0.2:5432'],
      ["bob", 'The server "main" of bob refused 7 connections: db-7.example.com:5432'],
      ["t0", "The quota is used up (request 5f0c2b1e-99a3-4c7e-8d5f-0f6a5d1c2b3a)."],
      ["t1", "The quota is used up (request 07d4f6a8-1b2c-4d3e-9f5a-6b7c8d9e0f1a)."],
      ["t2", "The quota is used up (request a1)."],
    ]);
    const program = (app: Scope): void => {
      const message = messages.get(app.stage);
      if (message !== undefined) throw new Error(message);
    };
    const report = await made.fleet({ program, concurrency: 1 }).up();
    expect(report.failures).toEqual([
      { code: "RUN_FAILED", count: 3, stages: ["t0", "t1", "t2"], message: messages.get("t0") },
      { code: "RUN_FAILED", count: 2, stages: ["ada", "bob"], message: messages.get("ada") },
    ]);
    expect((await made.fleet().status())?.failures).toEqual(report.failures);
  });

  test("stages with any characters in their names are one group", async () => {
    const names = [
      "a-b",
      "a b",
      "a.b",
      "a_b",
      "a+b",
      "(a)",
      "[a]",
      "a{2}",
      "a|b",
      "a^$",
      "a\\\\d",
      "é-🙂",
      "a,b",
      "a=b!&~%@#;:'\"<>",
    ];
    const program = (app: Scope): void => {
      throw new Error(`The server of ${app.stage} is gone.`);
    };
    const made = tenants(names);
    const { failures } = await made.fleet({ program }).up();
    expect(failures).toMatchObject([{ code: "RUN_FAILED", count: names.length }]);
    expect((await made.fleet().status())?.failures).toEqual(failures);
  });

  test("messages that all differ are a few groups, so that the report stays short", async () => {
    const word = (index: number): string => `${"abcdefghij"[Math.floor(index / 10)]}${"abcdefghij"[index % 10]}`;
    const made = tenants(named(60));
    const program = (app: Scope): void => {
      throw new Error(`no ${word(Number(app.stage.slice(1)))}`);
    };
    const { failures } = await made.fleet({ program }).up();
    expect(failures).toHaveLength(21);
    expect(failures[0]).toMatchObject({ count: 40, message: expect.stringMatching(/^no \w\w$/) });
  });
});
