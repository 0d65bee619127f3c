import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { consoleOutput } from "../../plugins/console-output/index.js";
import { createEngine } from "../../plugins/engine/index.js";

const engine = createEngine({ plugins: [consoleOutput()] });
let size = 1;
const Box = Resource("console-once:Box", {
  create: () => ({ size }),
  read: () => ({ size }),
  update: () => ({ size }),
  delete: () => {},
});

/** Output of a run, without times. */
async function printed(options: EngineOptions, program: () => void): Promise<string[]> {
  const lines: string[] = [];
  const logger = { info: (line: string) => void lines.push(line.replace(/\d+ ms/g, "…")), error: () => {} };
  const app = await engine("shop", { stage: "dev", logger, ...options });
  try {
    program();
  } catch {
    // The run reports it.
  }
  await app.finalize().catch(() => {});
  return lines;
}

test("what a plan keeps, and what drifted, is said once", async () => {
  const stateStore = memoryStore();
  await printed({ stateStore }, () => [Box("a", {}), Box("b", {})]);
  size = 2;
  const options = { stateStore, plan: true, refresh: true, destroyOrphans: false };
  expect(await printed(options, () => Box("a", {}))).toEqual([
    "~ update   shop/dev/a  (console-once:Box)  drift: it differs from its record",
    "           drift size: 1 → 2",
    "= keep     shop/dev/b  (console-once:Box)  destroyOrphans is false",
    "",
    "plan of shop/dev: 1 to update",
  ]);
  expect(await printed({ ...options, plan: false }, () => Box("a", {}))).toEqual([
    "drifted  shop/dev/a  (console-once:Box: output.size differs)",
    "updated  shop/dev/a  (console-once:Box, …)",
    "kept     shop/dev/b  (console-once:Box: destroyOrphans is false)",
    "shop/dev up done in …: 1 updated, 1 retained",
  ]);
});

test("a run that failed before it did anything does not say that there was nothing to do", async () => {
  const lines = await printed({ stateStore: memoryStore() }, () => Box("no/name", {}));
  expect(lines).toEqual(["shop/dev up FAILED in …: nothing was done"]);
});

test("a member whose name has a slash is named as people write it", async () => {
  const stateStore = memoryStore();
  let value = 1;
  const Odd = Resource("console-once:Odd", {
    create: () => ({ "a/b~c": value }),
    read: () => ({ "a/b~c": value }),
    update: () => ({ "a/b~c": value }),
    delete: () => {},
  });
  await printed({ stateStore }, () => Odd("a", {}));
  value = 2;
  const lines = await printed({ stateStore, refresh: true }, () => Odd("a", {}));
  expect(lines[0]).toBe("drifted  shop/dev/a  (console-once:Odd: output.a/b~c differs)");
});
