/** A plan's exit code, as processExit() sets it for a program that is run by itself. */
import { afterEach, expect, test } from "vitest";
import { Resource } from "../../plugins/index.js";
import { processExit } from "../../plugins/process-exit/index.js";
import { Stage } from "../helpers/apps/stage.js";

const { exitCode } = process;
afterEach(() => {
  process.exitCode = exitCode;
});

// A resource of that name existed before the create failed, so its owner is unknown.
const Named = Resource<{ readonly name: string }, object>("test:LeftThing", {
  create() {
    throw new Error("lost");
  },
  read: ({ physicalName }) => ({ name: physicalName }),
  delete: () => {},
});

test("a plan ends with 0 where the run that follows ends with 1, for it leaves its work unfinished", async () => {
  const stage = new Stage();
  await stage.failures(() => Named("a", {}));
  const codes: unknown[] = [];
  for (const plan of [true, false]) {
    process.exitCode = undefined;
    await stage.up(() => {}, { argv: undefined, plan, plugins: [processExit()] });
    expect(stage.heard("run:finished")).toMatchObject([{ ok: true, planned: plan, summary: { left: 1 } }]);
    codes.push(process.exitCode);
  }
  expect(codes).toEqual([1, 1]);
});
