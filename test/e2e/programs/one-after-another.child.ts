/**
 * Opens one app after another in one asynchronous function, in a given way, and prints how many of their scopes remain.
 */
import {
  definePlugin,
  EngineError,
  type EngineOptions,
  engine,
  memoryStore,
  Resource,
  type Scope,
} from "../../../plugins/index.js";
import { gc } from "../../helpers/processes/gc.ts";

const runs = Number(process.argv[3]);
const scopes: WeakRef<Scope>[] = [];
/** A promise and pending callbacks that a program keeps from its runs, with their asynchronous context. */
const kept: unknown[] = [];

const watch = definePlugin({
  name: "watch",
  apply: ({ hooks }) => hooks.scopeCreated.tap("watch", ({ scope }) => void scopes.push(new WeakRef(scope))),
});
const refusing = definePlugin({
  name: "refusing",
  apply: ({ hooks }) => hooks.scopeCreated.tap("refusing", () => Promise.reject(new Error("Not today."))),
});
const stateStore = memoryStore();
const options: EngineOptions = {
  argv: [],
  env: {},
  quiet: true,
  telemetry: false,
  stage: "t",
  stateStore,
  plugins: [watch],
};

const Note = Resource("memory:Note", {
  create: ({ props }: { props: { fails?: boolean } }) => {
    if (props.fails) throw new Error("The disk is full.");
    return { made: true };
  },
  read: ({ output }) => output,
  delete: () => {},
});

async function open(more: EngineOptions = {}): Promise<Scope> {
  return engine("shop", { ...options, ...more });
}

const refused = (code: string) => (error: unknown) => {
  if (!(error instanceof EngineError && error.code === code)) throw error;
};

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  async engine() {
    const app = await open();
    await Note("a", {});
    await app.finalize();
  },
  async changing() {
    const app = await open();
    await Note(`a${scopes.length}`, {});
    await app.finalize();
  },
  async secrets() {
    const app = await open({ password: "correct horse", stage: "secret" });
    await app.set("key", engine.secret("value"));
    await app.finalize();
  },
  async "engine.run"() {
    const app = await open();
    await engine.run("child", () => Note("a", {}));
    await app.finalize();
  },
  async "app.run"() {
    const app = await open();
    await app.run(() => Note("a", {}));
    await app.finalize();
  },
  async "app.run, which keeps a promise"() {
    const app = await open();
    await app.run(() => {
      kept.push(new Promise(() => {}), setTimeout(() => {}, 2 ** 30).unref());
      return Note("a", {});
    });
    await app.finalize();
  },
  async "app.run after finalize"() {
    const app = await open();
    await app.finalize();
    await app.run(() => Note("a", {}));
    await app.finalize();
  },
  "engine.plan": () => engine.plan("shop", options, () => Note("a", {})),
  "engine.drift": () => engine.drift("shop", options),
  async "engine.ref"() {
    const app = await open();
    await app.outputs({ url: "http://shop" });
    await app.finalize();
    const other = await engine("other", options);
    await engine.ref("shop", { stage: "t" });
    await other.finalize();
  },
  async "engine.destroy"() {
    const app = await open();
    await Note("a", {});
    await engine.destroy();
    await app.finalize();
  },
  async "phase destroy"() {
    await (await open({ phase: "destroy" })).finalize();
  },
  async "phase read"() {
    const app = await open({ phase: "read" });
    await app.finalize();
  },
  async "await using"() {
    const app = await open();
    await Note("a", {});
    await app[Symbol.asyncDispose]();
  },
  async "a failing handler"() {
    const app = await open();
    await Note("b", { fails: true }).catch(() => {});
    await app.finalize().catch(refused("HANDLER_FAILED"));
  },
  async "a failing app.run"() {
    const app = await open();
    const failure = new Error("The program has failed.");
    await app.run(() => Promise.reject(failure)).catch(() => {});
    await app.finalize().catch(refused("RUN_FAILED"));
  },
  async "an engine() that fails"() {
    await open({ plugins: [watch, refusing] }).catch(refused("PLUGIN_FAILED"));
  },
  async "an aborted run"() {
    const controller = new AbortController();
    const app = await open({ signal: controller.signal });
    controller.abort();
    await Note("c", {}).catch(() => {});
    await app.finalize().catch(() => {});
  },
};

const way = ways[process.argv[2] ?? ""];
if (!way) throw new Error(`There is no such way: ${process.argv[2]}`);
for (let run = 0; run < runs; run++) await way();
const left = (): number => scopes.filter((scope) => scope.deref() !== undefined).length;
// At least twice: objects that only collected objects hold are collected by the second. A busy machine may need more
// turns for the last ones.
for (let turn = 0; turn < 2 || (turn < 50 && left() > 0); turn++) {
  await new Promise((resolve) => setImmediate(resolve));
  gc();
}

const remaining = left();
process.stdout.write(`${JSON.stringify({ made: scopes.length, remaining })}\n`);
if (kept.length > 2 * runs) throw new Error("More was kept than was made.");
