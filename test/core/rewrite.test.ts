import { expect, test } from "vitest";
import { definePlugin } from "../../core/plugin/index.js";
import { textIn } from "../helpers/apps/secret-stage.ts";
import { Stage } from "../helpers/apps/stage.ts";

test("a plugin cannot rewrite the state in the read phase", async () => {
  const stage = new Stage();
  await stage.up((app) => app.set("k", Symbol.for("one")));
  const before = await textIn(stage.store);
  const rewriting = definePlugin({
    name: "rewriting",
    apply: ({ hooks }) => hooks.stateLoaded.tap("rewriting", ({ rewrite }) => rewrite("$symbol", () => "other")),
  });
  const reading = stage.open({ phase: "read", plugins: [rewriting] });
  await expect(reading).rejects.toMatchObject({ code: "READ_ONLY" });
  expect(await textIn(stage.store)).toBe(before);
  const app = await stage.up(() => {}, { plugins: [rewriting] });
  expect(await app.get("k")).toBe("other");
});
