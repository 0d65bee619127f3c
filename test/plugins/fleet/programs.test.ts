/** Programs that throw, open other apps, read other stages, and have secrets. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { fleet } from "../../../plugins/fleet/index.js";
import { engine, Secret } from "../../../plugins/index.js";
import { textIn } from "../../helpers/apps/secret-stage.js";
import { KEYS } from "../../helpers/apps/under-key.js";
import { named, tenants } from "./tenants.js";

const [KEY = ""] = KEYS;
const CANARY = "canary-5f1d93ab";

describe("a program", () => {
  test.each<readonly [what: string, program: () => unknown, message: string]>([
    ["throws a string", () => Promise.reject("out of disk"), "out of disk"],
    ["throws undefined", () => Promise.reject(), "undefined"],
    [
      "throws at once",
      () => {
        throw new Error("at once");
      },
      "at once",
    ],
    ["throws an object", () => Promise.reject({ status: 5 }), "object"],
  ])("that %s fails its stage only", async (_, program, message) => {
    const made = tenants(["bad", "good"]);
    const report = await made.fleet({ program: (app) => (app.stage === "bad" ? program() : undefined) }).up();
    expect(report).toMatchObject({ state: "failed", stages: { failed: 1, unchanged: 1 } });
    expect(report.failures).toMatchObject([{ code: "RUN_FAILED", stages: ["bad"] }]);
    expect(report.failures[0]?.message).toContain(message);
    expect((await made.fleet().status())?.failures).toEqual(report.failures);
  });

  test("that does not wait for its resources still creates them", async () => {
    const made = tenants(named(2));
    const { Resource } = await import("../../../plugins/index.js");
    const Thing = Resource<object, object>("test:Late", { create: async () => ({}), delete: () => {} });
    const program = (): void => void Thing("late", {});
    expect(await made.fleet({ program }).up()).toMatchObject({ state: "done", resources: { created: 2 } });
  });

  test("that runs another app keeps its own stage", async () => {
    const made = tenants(named(3));
    const program = async (app: Scope): Promise<void> => {
      await engine.up("other", { stage: app.stage, stateStore: made.store, quiet: true, argv: [] }, () => {});
    };
    expect(await made.fleet({ program }).up()).toMatchObject({ state: "done", stages: { unchanged: 3 } });
  });

  test("that read another stage waits for it in the next run, and is destroyed before it", async () => {
    const made = tenants(["a", "b"]);
    const log: string[] = [];
    const program = async (app: Scope): Promise<void> => {
      log.push(app.stage);
      await app.outputs({ url: app.stage });
      if (app.stage === "a") await engine.ref("tenants", { stage: "b" }).catch(() => {});
    };
    await made.fleet({ program, concurrency: 1 }).up();
    await made.fleet({ program, concurrency: 1 }).up();
    expect(log).toEqual(["a", "b", "b", "a"]);
  });
});

describe("secrets", () => {
  const withSecret = (program: (app: Scope, input: { readonly token: Secret<string> }) => unknown, key?: string) => {
    const store = memoryStore();
    const made = fleet<{ readonly token: Secret<string> }>("sealed", {
      stages: () => [{ stage: "a", input: { token: engine.secret(CANARY) } }],
      program,
      options: { stateStore: store, key },
    });
    return { made, store };
  };

  test("in an input need a key, and nothing begins without", async () => {
    let begun = 0;
    const { made, store } = withSecret(() => void begun++);
    await expect(made.up()).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    expect(begun).toBe(0);
    expect(await textIn(store)).not.toContain(CANARY);
  });

  test("in an input arrive as secrets, and appear nowhere in the clear", async () => {
    const seen: unknown[] = [];
    const program = async (app: Scope, { token }: { readonly token: Secret<string> }): Promise<void> => {
      seen.push(token);
      await app.outputs({ token });
      throw new Error(`The token ${token.unencrypted} is refused.`, { cause: new Error(CANARY) });
    };
    const { made, store } = withSecret(program, KEY);
    const events: unknown[] = [];
    const report = await made.up({ onStage: (ended) => events.push(ended), onProgress: (one) => events.push(one) });
    expect(seen[0]).toBeInstanceOf(Secret);
    expect(report).toMatchObject({ state: "failed", failures: [{ code: "RUN_FAILED" }] });
    const status = await made.status();
    for (const text of [JSON.stringify(report), JSON.stringify(events), JSON.stringify(status), await textIn(store)])
      expect(text).not.toContain(CANARY);
    expect(report.failures[0]?.message).toMatch(/^The token .+ is refused\.$/);
  });

  test("in an input make its stage run again when a run continues, as its digest would reveal it", async () => {
    let begun = 0;
    const controller = new AbortController();
    const { made } = withSecret(() => void begun++, KEY);
    await made.up({ signal: controller.signal, onStage: () => controller.abort() });
    expect(await made.status()).toMatchObject({ state: "interrupted", stages: { unchanged: 1 } });
    expect(await made.resume()).toMatchObject({ state: "done", stages: { total: 1, unchanged: 1 } });
    expect(begun).toBe(2);
  });

  test("in the message of a schema are masked", async () => {
    const store = memoryStore();
    const made = fleet<unknown>("sealed", {
      stages: [{ stage: "a", input: { token: engine.secret(CANARY) } }],
      input: {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: (value) => ({ issues: [{ message: `not "${Object(value).token.unencrypted}"`, path: ["token"] }] }),
        },
      },
      program: () => {},
      options: { stateStore: store, key: KEY },
    });
    const report = await made.up();
    expect(report.failures).toMatchObject([{ code: "INVALID_PROPS" }]);
    expect(JSON.stringify(report)).not.toContain(CANARY);
    expect(await textIn(store)).not.toContain(CANARY);
  });

  test("in an error of limit.key are masked", async () => {
    const { store } = withSecret(() => {}, KEY);
    const made = fleet<{ readonly token: Secret<string> }>("sealed", {
      stages: [{ stage: "a", input: { token: engine.secret(CANARY) } }],
      program: () => {},
      limit: {
        key: ({ token }) => {
          throw new Error(`no key for ${token.unencrypted}`);
        },
      },
      options: { stateStore: store, key: KEY },
    });
    const error: unknown = await made.up().catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('The function "limit.key" of the fleet "sealed" failed for the stage "a"');
    expect(String(error)).not.toContain(CANARY);
  });
});
