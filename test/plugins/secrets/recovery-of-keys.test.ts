/** Secrets among results that a run could not record. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Scope, type StateStore } from "../../../core/contract/index.js";
import { ledgerKeys, load } from "../../../core/state/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { folderEach, cwd as rootDir } from "../../e2e/own-folder.ts";
import { rekey } from "../../helpers/apps/admin-tools.ts";
import { inStore, PASSWORD, secretStage } from "../../helpers/apps/secret-stage.ts";
import type { Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";
import { faultyStore } from "../../helpers/stores/store-around.ts";

folderEach("secret-recovery");

const secret = (output: unknown): unknown => Secret.unwrap(Object(output).value);
const files = (): Promise<string[]> => readdir(rootDir);

type Within = (stage: Stage, work: () => Promise<unknown>) => Promise<unknown>;

/**
 * In the root, the key is recorded with the first change of the stage; in a scope, it is created with the first secret.
 */
const inRoot: Within = (_stage, work) => work();
const inTenant: Within = (stage, work) => stage.engine.run("tenant", { password: "the tenant's own" }, work);

/** A store that goes down as soon as a handler has returned an output with a secret. */
function setUp(append: boolean, within: Within = inRoot) {
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
      await within(stage, () => Thing("a"));
    });
  const fail = async (): Promise<void> => {
    await make().catch(() => {});
    isDown = false;
    expect(await files()).toHaveLength(1);
  };
  return { world, Thing, stage, inner, fail, within };
}

const output = async ({ stage, Thing, within }: ReturnType<typeof setUp>, options = {}): Promise<unknown> => {
  let found: unknown;
  await stage.up(async () => {
    await Thing("b");
    await within(stage, async () => {
      found = secret(await Thing("a"));
    });
  }, options);
  return found;
};

/** Checks that the recovery file does not reveal the results that could not be recorded. */
async function isHidden({ inner }: ReturnType<typeof setUp>): Promise<void> {
  expect(await keysIn(inner)).toEqual(["/"]);
  const [file = ""] = await files();
  expect(await readFile(join(rootDir, file), "utf8")).not.toContain("made by a");
}

/** Checks that the next run records it, warns, and leaves nothing to do. */
async function isRecovered(things: ReturnType<typeof setUp>, key: string): Promise<void> {
  things.world.news();
  expect(await output(things)).toBe("made by a");
  const message = expect.stringContaining(`recorded now: "${key}". `);
  expect(things.stage.heard("warning")).toMatchObject([{ code: "RECOVERED", message }]);
  expect(await output(things)).toBe("made by a");
  expect(things.world.news()).toEqual([]);
  expect(await files()).toEqual([]);
}

/** Paths of the scopes whose keys are recorded. */
async function keysIn(store: StateStore): Promise<readonly string[]> {
  const { contents } = await load({ store, keys: ledgerKeys("app", "dev"), app: "app", stage: "dev", keep: 3 });
  return [...(contents.data.get("$secrets")?.keys() ?? [])];
}

describe.each([true, false])("the first secret of a scope that could not be recorded (segments: %s)", (append) => {
  test("is recorded by the next run together with its key", async () => {
    const things = setUp(append, inTenant);
    await things.fail();
    await isHidden(things);
    await isRecovered(things, "tenant/a");
    expect(await keysIn(things.inner)).toEqual(["/", "/tenant"]);
  });

  test("is left in the file where another run has made another key since", async () => {
    const things = setUp(append, inTenant);
    await things.fail();
    const other = secretStage({ stateStore: things.inner, rootDir: join(rootDir, "elsewhere") });
    const setting = () => inTenant(other, async () => Scope.current.set("k", new Secret("other")));
    await other.up(setting, { destroyOrphans: false });
    things.world.calm();
    // The create is repeated: the output of the first one cannot be decrypted.
    expect(await output(things)).toBeUndefined();
    expect(things.stage.heard("warning").map(({ code }) => code)).toEqual(["RECOVERED", "REPEATED_CREATE"]);
    expect(await files()).toEqual([expect.stringContaining("stale")]);
  });
});

describe.each([true, false])("the first secret of a stage that could not be recorded (segments: %s)", (append) => {
  test.each([false, true])(
    "is recorded by the next run: the key is there (another run meanwhile: %s)",
    async (meanwhile) => {
      const things = setUp(append);
      await things.fail();
      await isHidden(things);
      if (meanwhile) {
        const other = secretStage({ stateStore: things.inner, rootDir: join(rootDir, "elsewhere") });
        await other.up((app) => app.set("k", new Secret("other")), { destroyOrphans: false });
      }
      await isRecovered(things, "a");
    },
  );
});

test("results that were encrypted by a key that has been replaced since are not recorded", async () => {
  const things = setUp(true);
  const { stage } = things;
  await stage.up((app) => app.set("k", new Secret("makes the key")));
  await things.fail();
  await rekey("app", inStore(things.inner, { rootDir: join(rootDir, "elsewhere"), password: PASSWORD }));
  things.world.calm();
  expect(await output(things)).toBeUndefined();
  expect(await files()).toEqual([expect.stringContaining("stale")]);
  await stage.up(async (app) => expect(Secret.unwrap(await app.get("k"))).toBe("makes the key"), {
    destroyOrphans: false,
  });
});
