/** The engine on the memory store and on files: lifecycle, scopes, plans, secrets. */
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import { engine, isSecret, memoryStore, Resource, Scope } from "scope-engine";
import { fsStore } from "scope-engine/adapters/fs";
import { createTestApp } from "scope-engine/testing";

const calls = [];

const Queue = Resource("t:Queue", {
  create: ({ props, physicalName }) => {
    calls.push(`create ${physicalName}`);
    return { name: physicalName, size: props.size, region: props.region };
  },
  update: ({ props, output }) => {
    calls.push(`update ${output.name}`);
    return { ...output, size: props.size };
  },
  delete: ({ output }) => {
    calls.push(`delete ${output.name}`);
  },
  replaceOn: ["region"],
});

const Vault = Resource("t:Vault", {
  create: ({ props }) => ({ length: props.key.unencrypted.length, key: engine.secret(props.key.unencrypted, "key") }),
  delete: () => {},
});

const Failing = Resource("t:Failing", {
  create: () => {
    throw new Error("no such thing");
  },
  delete: () => {},
});

const folder = () => mkdtemp(join(tmpdir(), "scope-engine-runtime-"));
const quiet = { stage: "t", argv: [], env: {}, quiet: true, noTrack: true };

/** The handler calls of one run. */
async function called(stateStore, options, program) {
  calls.length = 0;
  const app = await engine("shop", { ...quiet, stateStore, ...options });
  try {
    await app.run(program);
  } finally {
    await app.finalize();
  }
  return calls.splice(0);
}

async function lifecycle(stateStore, options = {}) {
  const run = (program, more = {}) => called(stateStore, { ...options, ...more }, program);
  deepEqual(await run(() => Queue("q", { size: 1, region: "eu" })), ["create shop-q-t"]);
  deepEqual(await run(() => Queue("q", { size: 1, region: "eu" })), []);
  deepEqual(await run(() => Queue("q", { size: 2, region: "eu" })), ["update shop-q-t"]);
  const replaced = await run(() => Queue("q", { size: 2, region: "us" }));
  deepEqual(
    replaced.map((call) => call.split(" ")[0]),
    ["create", "delete"],
  );
  equal((await run(() => {})).length, 1);
  await run(() => Promise.all(["a", "b"].map((id) => Queue(id, { size: 1, region: "eu" }))));
  const app = await engine("shop", { ...quiet, ...options, stateStore, phase: "destroy" });
  await app.finalize();
  equal(calls.filter((call) => call.startsWith("delete")).length, 2);
  deepEqual(await run(() => {}), []);
}

export function define({ describe, it }) {
  describe("lifecycle", () => {
    it("creates, skips, updates, replaces, prunes and destroys, in memory", () => lifecycle(memoryStore()));

    it("does so with the state in files, growing ones and others", async () => {
      for (const append of [true, false]) {
        const rootDir = await folder();
        await lifecycle(fsStore({ append }), { rootDir });
        ok((await readdir(join(rootDir, ".engine"))).length > 0);
        await rm(rootDir, { recursive: true });
      }
    });

    it("creates a thousand at once", async () => {
      const stateStore = memoryStore();
      const ids = Array.from({ length: 1_000 }, (_, index) => `q${index}`);
      const all = () => Promise.all(ids.map((id) => Queue(id, { size: 1, region: "eu" })));
      equal((await called(stateStore, {}, all)).length, 1_000);
      equal((await called(stateStore, {}, all)).length, 0);
    });

    it("reports a failure, and completes it later", async () => {
      const stateStore = memoryStore();
      const app = await engine("shop", { ...quiet, stateStore });
      await rejects(Failing("f"), /no such thing/);
      await rejects(app.finalize(), { name: "RunFailedError" });
      deepEqual(await called(stateStore, {}, () => Queue("q", { size: 1, region: "eu" })), ["create shop-q-t"]);
    });

    it("keeps other runs out", async () => {
      const stateStore = memoryStore();
      const one = await engine("shop", { ...quiet, stateStore });
      await one.run(() => Queue("q", { size: 1, region: "eu" }));
      const two = engine("shop", { ...quiet, stateStore }).then((app) => app.run(() => Queue("r", { size: 1 })));
      await rejects(two, { code: "STATE_LOCKED" });
      await one.finalize();
    });
  });

  describe("scopes", () => {
    it("nest, and follow the asynchronous context", async () => {
      const app = await engine("shop", { ...quiet, stateStore: memoryStore() });
      equal(Scope.current.name, app.name);
      await Promise.all(
        ["eu", "us"].map((name) =>
          engine.run(name, async (scope) => {
            await wait(5);
            equal(Scope.current, scope);
            const { name: physical } = await Queue("q", { size: 1, region: name });
            equal(physical, `shop-${name}-q-t`);
            await engine.run("inner", async (inner) => {
              await new Promise((resolve) => setImmediate(resolve));
              equal(Scope.current, inner);
              equal(inner.fqn("x"), `shop/t/${name}/inner/x`);
            });
            equal(Scope.current, scope);
          }),
        ),
      );
      equal(Scope.current.name, app.name);
      await app.finalize();
    });

    it("are entered by an app that a helper makes, whatever it awaited first", async () => {
      const helper = async () => {
        await wait(1);
        return engine("helped", { ...quiet, stateStore: memoryStore() });
      };
      const app = await helper();
      equal(Scope.current, app);
      await app.finalize();
    });

    it("keep their data, run deferred functions, and clean up", async () => {
      const stateStore = memoryStore();
      const seen = [];
      const app = await engine("shop", { ...quiet, stateStore });
      await app.set("map", new Map([["day", new Date(0)]]));
      app.defer(() => seen.push("deferred"));
      app.onCleanup(() => seen.push("cleanup"));
      await app.finalize();
      const next = await engine("shop", { ...quiet, stateStore });
      deepEqual(await next.get("map"), new Map([["day", new Date(0)]]));
      await next.finalize();
      deepEqual(seen.slice(0, 1), ["deferred"]);
    });
  });

  it("says what a run would do, with values that are not known yet", async () => {
    const program = async () => {
      const { name } = await Queue("q", { size: 1, region: "eu" });
      await Queue("copy", { size: 1, region: `${name}!` });
    };
    calls.length = 0;
    const plan = await engine.plan("shop", { ...quiet, stateStore: memoryStore() }, program);
    deepEqual(
      plan.actions.map(({ action, fqn }) => [action, fqn]),
      [
        ["create", "shop/t/q"],
        ["create", "shop/t/copy"],
      ],
    );
    equal(calls.length, 0);
  });

  it("keeps secrets encrypted, shows none, and knows a wrong password", async () => {
    const rootDir = await folder();
    const value = "correct-horse-battery";
    const options = { rootDir, stateStore: fsStore(), password: "one" };
    const run = (more = {}) =>
      called(options.stateStore, { ...options, ...more }, async () => {
        const { key, length } = await Vault("v", { key: engine.secret(value, "K") });
        ok(isSecret(key));
        equal(key.unencrypted, value);
        equal(length, value.length);
        match(`${key} ${JSON.stringify({ key })} ${inspect(key)}`, /^Secret\(key\).*Secret\(key\).*Secret\(key\)$/);
      });
    await run();
    await run();
    for (const entry of await readdir(rootDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = await readFile(join(entry.parentPath ?? entry.path, entry.name), "utf8");
      ok(!text.includes(value), `${entry.name} holds the secret`);
    }
    await rejects(run({ password: "two" }), /password of "shop\/t" is wrong/);
    await rm(rootDir, { recursive: true });
  });

  it("reads the state without a lock, and refers to another stage", async () => {
    const stateStore = memoryStore();
    const app = await engine("shop", { ...quiet, stateStore });
    const made = await Queue("q", { size: 1, region: "eu" });
    await app.outputs({ queue: made.name });
    await app.finalize();
    const reader = await engine("shop", { ...quiet, stateStore, phase: "read" });
    deepEqual(await Queue("q", { size: 1, region: "eu" }), made);
    await reader.finalize();
    const other = await engine("other", { ...quiet, stateStore });
    equal((await engine.ref("shop", { stage: "t" })).queue, made.name);
    await other.finalize();
  });

  it("finishes the work of a killed run", async () => {
    const app = await createTestApp();
    const program = () => Queue("q", { size: 1, region: "eu" });
    app.faults.kill("t:Queue", "create");
    await rejects(app.run(program));
    await app.run(program);
    deepEqual(app.actions, ["created q"]);
    await app[Symbol.asyncDispose]();
  });
}
