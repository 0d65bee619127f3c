/** Texts that are cut, and values in messages, hold no part and no other form of a secret. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

/** Longer than each text is when it is cut. */
const LONG = `cut-canary-at-the-beginning-${"0123456789".repeat(60)}-cut-canary-at-the-end`;

describe("no part of a long secret is told", () => {
  test.each([
    ["where the call of a provider fails, and its long text is cut", "fail-call", "Error: zzz"],
    ["where the last line of a crash is cut", "panic", "panic: zzz"],
    ["where a line of the log is cut", "log", "zzz"],
    [
      "where a provider makes another value than it has planned",
      "lie-value",
      "is another sensitive value than was planned",
    ],
  ])("%s", async (_where, command, text) => {
    const { stage, fixture, log, logFile } = await made();
    const program = () => void fixture().behaviour!("a", { name: "a", value: new Secret(LONG), onCreate: command });
    const failures = command === "log" ? await stage.up(program) : await stage.failures(program);
    const inFile = log.length === 0 ? "" : logFile();
    const told = [JSON.stringify(stage.events), inFile, String(failures), await textIn(stage.store)].join("\n");
    expect(told).toContain(text);
    expect(told).not.toMatch(/cut-canary|0123456789012/);
  });
});

test("a provider that trims a secret, or writes it in small letters, is warned of without the text that it has made", async () => {
  const { stage, fixture, log, logFile } = await made();
  const declare = (payload: string) => () =>
    void fixture().sdk!("a", { name: "a", content: "x", payload: new Secret(payload) });
  await stage.up(declare("  Cut-Canary-One  "));
  await stage.up(declare("  Cut-Canary-Two  "));
  expect(log.join("\n")).toContain("payload is planned as another sensitive value than is configured");
  const told = [JSON.stringify(stage.events), logFile(), await textIn(stage.store)].join("\n");
  expect(told).not.toMatch(/cut-canary/i);
});
