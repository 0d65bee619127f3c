/** Secrets among results that a run could not record. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { rekey } from "../../../plugins/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { COST, PASSWORD, secretStage } from "../../helpers/secret-stage.ts";
import { faultyStore } from "../../helpers/store-around.ts";
import { World } from "../../helpers/world.ts";

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "secret-recovery-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

const secret = (output: unknown): unknown => Secret.unwrap(Object(output).value);
const files = (): Promise<string[]> => readdir(rootDir);

/** A store that is gone as soon as a handler has made something with a secret in its output. */
function setUp(append: boolean) {
  const world = new World();
  const Thing = world.type();
  let isDown = false;
  const inner = memoryStore({ append });
  const stateStore = faultyStore(inner, ({ op }) => (isDown && op !== "get" && op !== "list" ? "refused" : undefined));
  const stage = secretStage({ stateStore, rootDir });
  const make = (): Promise<unknown> =>
    stage.up(async () => {
      await Thing("b");
      world.on("create a", () => {
        isDown = true;
        return { thing: "a", value: new Secret("made by a") };
      });
      await Thing("a");
    });
  const fail = async (): Promise<void> => {
    await make().catch(() => {});
    isDown = false;
    expect(await files()).toHaveLength(1);
  };
  return { world, Thing, stage, inner, fail };
}

const output = async ({ stage, Thing }: ReturnType<typeof setUp>, options = {}): Promise<unknown> => {
  let found: unknown;
  await stage.up(async () => {
    await Thing("b");
    found = secret(await Thing("a"));
  }, options);
  return found;
};

describe.each([true, false])("the first secret of a stage that could not be recorded (segments: %s)", (append) => {
  test("is recorded by the next run together with its key", async () => {
    const things = setUp(append);
    await things.fail();
    const [file = ""] = await files();
    expect(await readFile(join(rootDir, file), "utf8")).not.toContain("made by a");
    things.world.news();
    expect(await output(things)).toBe("made by a");
    expect(things.stage.heard("warning")).toMatchObject([
      { code: "RECOVERED", message: expect.stringContaining('recorded now: "a". ') },
    ]);
    expect(await output(things)).toBe("made by a");
    expect(things.world.news()).toEqual([]);
    expect(await files()).toEqual([]);
  });

  test("is left in the file where another run has made another key since", async () => {
    const things = setUp(append);
    await things.fail();
    const other = secretStage({ stateStore: things.inner, rootDir: join(rootDir, "elsewhere") });
    await other.up((app) => app.set("k", new Secret("other")), { destroyOrphans: false });
    things.world.calm();
    // It is made once more: nobody can read what the first one has given.
    expect(await output(things)).toBeUndefined();
    expect(things.stage.heard("warning").map(({ code }) => code)).toEqual(["RECOVERED", "REPEATED_CREATE"]);
    expect(await files()).toEqual([expect.stringContaining("stale")]);
  });
});

test("results that were encrypted by a key that has been replaced since are not recorded", async () => {
  const things = setUp(true);
  const { stage } = things;
  await stage.up((app) => app.set("k", new Secret("makes the key")));
  await things.fail();
  const elsewhere = join(rootDir, "elsewhere");
  const options = { stage: "dev", rootDir: elsewhere, password: PASSWORD, cost: COST, env: {} };
  await rekey("app", { ...options, stateStore: things.inner });
  things.world.calm();
  expect(await output(things)).toBeUndefined();
  expect(await files()).toEqual([expect.stringContaining("stale")]);
  await stage.up(async (app) => expect(Secret.unwrap(await app.get("k"))).toBe("makes the key"), {
    destroyOrphans: false,
  });
});
