import { expect, test } from "vitest";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

test("a provider that crashes is told in one line and the path of its log, and its stack is not recorded", async () => {
  const { stage, fixture, world, log } = await made();
  const program = (how?: string) => () => fixture().behaviour!("one", { name: "a", ...(how && { onCreate: how }) });
  const [failure] = await stage.failures(program("crash"));
  const { message } = Object(failure);
  expect(message).toMatch(
    /ended with exit code 2 before it answered ApplyResourceChange\. panic: runtime error: invalid memory address\n {2}Its log: \.engine\/logs\/providers\/test\.fixture\.log$/,
  );
  expect(log.some((line) => line.includes("frame49"))).toBe(true);
  expect(await textIn(stage.store)).not.toContain("goroutine");
  // The next run says that it failed, and no more.
  await stage.up(program());
  expect([stage.told.join("\n").includes("frame"), world.all("fixture_behaviour").length]).toEqual([false, 1]);
});
