/** Secrets in the outputs of a stage. */
import { describe, expect, test } from "vitest";
import type { EngineOptions, Scope, StateStore } from "../../../core/contract/index.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { newKeyText } from "../../../plugins/secrets/opener.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rekey, rotatePassword } from "../../helpers/apps/admin-tools.ts";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { COST, inStore, PASSWORD, secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

const { engine, open } = testApps({ plugins: [secrets({ cost: COST })] });
const HIDDEN = "s3cr3t-of-the-network";

interface Offered {
  readonly host: string;
  readonly tokens: readonly Secret[];
}

/** A stage of "app" that publishes a secret. */
async function offering(value: unknown = { host: "db", tokens: [new Secret(HIDDEN, "TOKEN")] }) {
  const stage = secretStage();
  await stage.up((app) => app.outputs(value));
  return stage;
}

async function reading<T>(stateStore: StateStore, use: (app: Scope) => Promise<T>, options: EngineOptions = {}) {
  const app = await open({ stateStore, password: PASSWORD, ...options }, "reader");
  try {
    return await use(app);
  } finally {
    await app.finalize();
  }
}

describe("a secret in outputs", () => {
  test("is in clear nowhere in the store, and is read with the password of its stage", async () => {
    const { store } = await offering();
    expect(await textIn(store)).not.toContain(HIDDEN);
    await reading(store, async () => {
      const { host, tokens } = await engine.ref<Offered>("app");
      expect([host, `${tokens[0]}`, tokens[0]?.unencrypted]).toEqual(["db", "Secret(TOKEN)", HIDDEN]);
    });
  });

  test("that comes of a promise is encrypted as well, and the same one is not written again", async () => {
    const stage = await offering(Promise.resolve({ deep: [Promise.resolve(new Secret(HIDDEN))] }));
    const before = await textIn(stage.store);
    expect(before).not.toContain(HIDDEN);
    await stage.up((app) => app.outputs({ deep: [new Secret(HIDDEN, "other name")] }));
    expect((await textIn(stage.store)) === before).toBe(true);
    await stage.up((app) => app.outputs({ deep: [new Secret("another")] }));
    expect((await textIn(stage.store)) === before).toBe(false);
  });

  test("without a password fails the run, naming the path, unless nothing is recorded in its phase", async () => {
    const stage = secretStage({ password: undefined });
    const program = (app: Scope) => app.outputs({ deep: [new Secret(HIDDEN)] });
    expect(await failuresOf(stage.up(program))).toMatchObject([
      {
        code: "PASSWORD_REQUIRED",
        message: expect.stringContaining('The secret at "/outputs/deep/0" in the data of "app/dev"'),
      },
    ]);
    expect(await textIn(stage.store)).not.toContain(HIDDEN);
    await stage.up(program, { phase: "read" });
    await stage.up(program, { phase: "destroy" });
  });

  test("that was not awaited is recorded before the run ends, although its key takes time", async () => {
    const stage = secretStage();
    await stage.up((app) => void app.outputs({ host: "db", tokens: [new Secret(HIDDEN)] }));
    await reading(stage.store, async () => expect((await engine.ref<Offered>("app")).host).toBe("db"));
  });

  test("is bound to its place: data of that value is another one", async () => {
    const stage = await offering();
    await stage.up((app) => app.set("outputs", { host: "db", tokens: [new Secret(HIDDEN, "TOKEN")] }));
    const ciphertexts = (await textIn(stage.store)).match(/"\$secret":\["[^"]*","[^"]*"\]/g) ?? [];
    expect(new Set(ciphertexts).size).toBe(2);
  });
});

describe("engine.ref to a stage with secrets", () => {
  test("with another password is WRONG_PASSWORD, without one PASSWORD_REQUIRED, naming that stage and what to pass", async () => {
    const { store } = await offering();
    const call = 'engine.ref("app", { stage: "dev", password }).';
    const advice = `Pass the password of that stage: ${call}`;
    const wrong = { code: "WRONG_PASSWORD", fqn: "app/dev", message: expect.stringContaining(advice) };
    const options = { password: "of the reader" };
    await reading(store, async () => expect(await rejection(engine.ref("app"))).toMatchObject(wrong), options);
    const both = `Pass the password or key of that stage, for example: ${call}`;
    const required = { code: "PASSWORD_REQUIRED", fqn: "app/dev", message: expect.stringContaining(both) };
    const none = { password: undefined };
    await reading(store, async () => expect(await rejection(engine.ref("app"))).toMatchObject(required), none);
  });

  test("takes its password beside the app's own, whose secrets stay as they are", async () => {
    const { store } = await offering();
    const world = new World();
    const Thing = world.type();
    const program = async (): Promise<void> => {
      const { tokens } = await engine.ref<Offered>("app", { password: PASSWORD });
      await Thing("a", { value: { token: tokens[0], own: new Secret("of the reader itself") } });
    };
    for (const calls of [["create a"], []]) {
      world.news();
      await reading(store, program, { password: "of the reader" });
      expect(world.calls).toEqual(calls);
    }
    expect(await textIn(store)).not.toContain(HIDDEN);
    expect(await textIn(store)).not.toContain("of the reader itself");
  });

  test("asks a reader without a password for none where the outputs hold no secret, whatever else there is", async () => {
    const stage = await offering({ host: "db" });
    await stage.up((app) => app.set("key", new Secret(HIDDEN)));
    const options = { password: undefined };
    await reading(stage.store, async () => expect(await engine.ref("app")).toEqual({ host: "db" }), options);
  });

  test("of the app's own gives what this run has recorded, and with a password what others would read", async () => {
    const stage = await offering();
    const app = await stage.open();
    await app.outputs({ host: "db", tokens: [new Secret("the next one")] });
    const { tokens } = await stage.engine.ref<Offered>("app");
    expect(tokens[0]?.unencrypted).toBe("the next one");
    await app.finalize();
    const bare = await stage.open({ password: undefined });
    expect(await rejection(stage.engine.ref("app"))).toMatchObject({ code: "PASSWORD_REQUIRED" });
    const read = await stage.engine.ref<Offered>("app", { password: PASSWORD });
    expect(read.tokens[0]?.unencrypted).toBe("the next one");
    await bare.finalize();
  });

  test("reads it after the password was changed, and after the key was", async () => {
    const stage = await offering();
    const options = inStore(stage.store, { password: PASSWORD });
    await rotatePassword("app", { ...options, newPassword: "after" });
    expect(await rekey("app", { ...options, password: "after" })).toBe(1);
    await reading(stage.store, async () => {
      const { tokens } = await engine.ref<Offered>("app", { password: "after" });
      expect(tokens[0]?.unencrypted).toBe(HIDDEN);
      expect(await rejection(engine.ref("app"))).toMatchObject({ code: "WRONG_PASSWORD" });
    });
  });

  test("finds undefined where it was erased with a lost password", async () => {
    const stage = await offering();
    await stage.up(() => {}, { password: "new", eraseSecrets: true, force: true });
    await reading(stage.store, async () => {
      expect(await engine.ref("app", { password: "new" })).toEqual({ host: "db", tokens: [undefined] });
    });
  });

  test("keeps a wrong password, and what it read, out of every error", async () => {
    const { store } = await offering();
    await reading(store, async () => {
      const { tokens } = await engine.ref<Offered>("app");
      const error = await rejection(engine.ref("app", { password: "very wrong indeed" }));
      expect(JSON.stringify([`${error}`, (error as Error).stack, tokens])).not.toMatch(/very wrong|s3cr3t/);
    });
  });
});

describe("a stage that was forged without the key in place of the referenced one", () => {
  const forger = async (password?: string) => {
    const stage = secretStage({ password });
    await stage.up((app) => app.outputs({ host: "evil.example" }));
    return stage.store;
  };
  const password = PASSWORD;

  test("is refused by a run with a key, though this machine has never seen the stage", async () => {
    await reading(await forger(), async () => {
      const forged = { code: "STATE_FORGED", message: expect.stringMatching(/not sealed.*unsealed: true/) };
      expect(await rejection(engine.ref("app"))).toMatchObject(forged);
      expect(await rejection(engine.ref("app", { password }))).toMatchObject(forged);
    });
  });

  test("is refused where it is sealed with a key of the forger's, also if a stage without a key would do", async () => {
    await reading(await forger("of the forger"), async () => {
      for (const options of [{}, { unsealed: true }, { password }, { key: newKeyText() }]) {
        expect(await rejection(engine.ref("app", options))).toMatchObject({ code: "WRONG_PASSWORD", fqn: "app/dev" });
      }
    });
  });

  test("is refused by a run without a key that says which key the stage has", async () => {
    const options = { password: undefined };
    await reading(
      await forger(),
      async () => expect(await rejection(engine.ref("app", { password }))).toMatchObject({ code: "STATE_FORGED" }),
      options,
    );
  });
});

describe("a stage without a key", () => {
  test("is read by a run with a key only where the program says that it has none", async () => {
    const stage = secretStage({ password: undefined });
    await stage.up((app) => app.outputs({ host: "db" }));
    await reading(stage.store, async () => {
      expect(await engine.ref("app", { unsealed: true })).toEqual({ host: "db" });
      expect(await rejection(engine.ref("app"))).toMatchObject({ code: "STATE_FORGED" });
    });
  });

  test("and a password for it contradict each other", async () => {
    await reading(secretStage().store, async () => {
      for (const options of [{ unsealed: true, password: PASSWORD }, { unsealed: "yes" as unknown as boolean }]) {
        expect(await rejection(engine.ref("app", options))).toMatchObject({ code: "INVALID_OPTION" });
      }
    });
  });

  test("of which nothing is recorded is missing, and not forged", async () => {
    await reading(secretStage().store, async () =>
      expect(await rejection(engine.ref("app"))).toMatchObject({ code: "OUTPUTS_MISSING" }),
    );
  });
});
