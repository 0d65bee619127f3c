/** Every way in which an error or a message once leaked a secret. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { HookName } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Command } from "../../../plugins/resources/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rotatePassword } from "../../helpers/apps/admin-tools.ts";
import { PASSWORD, secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { World } from "../../helpers/apps/world.ts";

const VALUE = "hunter2-häslich";
const failure = (): Error => new Error(`no ${VALUE}`, { cause: Object.assign(new Error("why"), { stderr: VALUE }) });

function setUp() {
  const world = new World();
  void new Secret(VALUE);
  return { world, Thing: world.type(), stage: secretStage() };
}

/** Everything readable of a rejection. */
async function wordsOf(run: PromiseLike<unknown>): Promise<string> {
  return Promise.resolve(run).then(
    () => "it was fine",
    (error) => inspect(error, { depth: 10, showHidden: true }),
  );
}

const throwing = (name: HookName) =>
  definePlugin({
    name: "throwing",
    apply({ hooks }) {
      const fn = () => {
        throw failure();
      };
      if (name === "handler" || name === "storeRequest") hooks[name].tapPromise("throwing", fn);
      else hooks[name].tap("throwing", fn);
    },
  });

describe("a secret is masked", () => {
  test.each<HookName>(["options", "stateLoaded", "scopeCreated"])(
    "in what engine() rejects with where a tap of %s throws",
    async (name) => {
      const words = await wordsOf(setUp().stage.open({ plugins: [throwing(name)] }));
      expect(words).toContain("no ***");
      expect(words).not.toContain(VALUE);
    },
  );

  test("in what engine.run() and engine.destroy() reject with", async () => {
    const { stage, Thing, world } = setUp();
    let isReady = false;
    const late = definePlugin({
      name: "late",
      apply: ({ hooks }) =>
        hooks.scopeCreated.tap("late", () => {
          if (isReady) throw failure();
        }),
    });
    await stage.open({ plugins: [late] }).then((app) =>
      app.run(async () => {
        isReady = true;
        const words = await wordsOf(stage.engine.run("child", () => {}));
        expect(words).toContain("no ***");
        expect(words).not.toContain(VALUE);
        world.on("delete a", () => Promise.reject(failure()));
        await Thing("a");
        expect(await wordsOf(stage.engine.destroy())).not.toContain(VALUE);
        await wordsOf(app.finalize());
      }),
    );
  });

  test("in the reason of an interruption, which is reported once", async () => {
    const { stage, Thing, world } = setUp();
    const controller = new AbortController();
    world.on("create a", () => controller.abort(failure()));
    let words = "";
    const program = async (): Promise<void> => {
      const made = [Thing("a"), Thing("b")];
      words = (await Promise.all(made.map(wordsOf))).join();
    };
    const errors = await stage.failures(program, { signal: controller.signal, concurrency: 1 });
    expect(errors).toMatchObject([{ code: "ABORTED", cause: { message: "no ***" } }]);
    expect(words).toContain("no ***");
    expect(words).not.toContain(VALUE);
  });

  test("in the error of a create that is recorded, though it was thrown as a DOMException", async () => {
    const { stage, Thing, world } = setUp();
    world.on("create a", () => Promise.reject(new DOMException(`no ${VALUE}`)));
    const [error] = await stage.failures(() => Thing("a"));
    expect(error).toMatchObject({ code: "HANDLER_FAILED", message: 'create of "app/dev/a" failed: no ***' });
    expect(await textIn(stage.store)).not.toContain(VALUE);
  });

  test("in a warning that is not a string", async () => {
    const { stage } = setUp();
    const odd = definePlugin({
      name: "odd",
      apply: ({ warn }) => Reflect.apply(warn, undefined, ["ODD", failure()]),
    });
    await stage.up(() => {}, { plugins: [odd] });
    expect(stage.heard("warning")).toMatchObject([{ message: "Error: no ***" }]);
  });

  test("in what set() rejects with, where a getter throws it", async () => {
    const { stage } = setUp();
    await stage.up(async (app) => {
      const value = Object.defineProperty({}, "x", {
        enumerable: true,
        get: () => {
          throw failure();
        },
      });
      const words = await wordsOf(app.set("key", value));
      expect(words).toContain("no ***");
      expect(words).not.toContain(VALUE);
    });
  });

  test("in what rotatePassword() rejects with", async () => {
    const { stage } = setUp();
    await stage.up((app) => app.set("key", new Secret(VALUE)));
    const broken = { ...memoryStore(), ...stage.store, create: () => Promise.reject(failure()), append: undefined };
    const change = { stage: "dev", stateStore: broken, password: PASSWORD, newPassword: "another one", env: {} };
    const words = await wordsOf(rotatePassword("app", change));
    expect(words).toContain("no ***");
    expect(words).not.toContain(VALUE);
  });

  test("with a NUL in it in full, where a command is given it", async () => {
    const { stage } = setUp();
    const [error] = await stage.failures(() =>
      Command("c", { command: "env", env: { X: new Secret("half a secret\0") } }),
    );
    expect(error).toMatchObject({
      code: "INVALID_PROPS",
      message: expect.stringContaining('"X" of the command contains a NUL'),
    });
    expect(inspect(error)).not.toContain("half a");
  });
});
