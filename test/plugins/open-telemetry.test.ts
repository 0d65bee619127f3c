import { context, type Meter, type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { definePlugin } from "../../core/plugin/index.js";
import { openTelemetry } from "../../plugins/open-telemetry/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

function setUp(meter?: Meter) {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");
  const world = new World();
  const plugin = openTelemetry({ tracer, ...(meter ? { meter } : {}) });
  const stage = new Stage({ plugins: [plugin] });
  const spans = () => exporter.getFinishedSpans();
  /** Name of each span of the run and its handlers, with the name of its parent span. */
  const tree = () =>
    spans()
      .filter(({ kind }) => kind !== SpanKind.CLIENT)
      .map(({ name, parentSpanContext }) => {
        const above = spans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
        return `${name} < ${above?.name ?? "none"}`;
      });
  const named = (name: string) => spans().find((span) => span.name === name);
  const within = <T>(name: string, run: () => Promise<T>): Promise<T> =>
    tracer.startActiveSpan(name, (span: Span) => run().finally(() => span.end()));
  return { world, Thing: world.type({ read: true }), stage, plugin, tracer, spans, tree, named, within };
}

describe("spans", () => {
  test("of handlers are below the run, which is below what was active at engine(); what a handler does is below it", async () => {
    const { world, Thing, stage, tree, within } = setUp();
    world.on("create a", async () => {
      await within("own request", async () => {});
      await Thing("child");
    });
    await within("deploy", () => stage.up(() => Thing("a")));
    const create = `create ${Thing.kind}`;
    expect(tree()).toEqual([
      `own request < ${create}`,
      ...[`${create} < ${create}`, `${create} < up`, "up < deploy", "deploy < none"],
    ]);
  });

  test("of handlers are below a span that the program opens in the run", async () => {
    const { Thing, stage, tree, within } = setUp();
    await stage.up(async () => {
      await within("databases", () => Promise.resolve(Thing("a")));
      await Thing("b");
    });
    const create = `create ${Thing.kind}`;
    expect(tree()).toEqual([`${create} < databases`, "databases < none", `${create} < up`, "up < none"]);
  });

  test("have what they are about, and requests to the store are below the run", async () => {
    const { Thing, stage, named, spans } = setUp();
    await stage.up(() => Thing("a", { value: "swordfish" }));
    const up = named("up");
    expect(up?.attributes).toMatchObject({ "scope_engine.app": "app", "deployment.environment.name": "dev" });
    expect(named(`create ${Thing.kind}`)?.attributes).toEqual({
      "scope_engine.kind": Thing.kind,
      "scope_engine.fqn": "app/dev/a",
      "scope_engine.waited": expect.any(Number),
    });
    const requests = spans().filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(requests.map(({ name }) => name)).toContain(`list ${stage.store.name}`);
    expect(new Set(requests.map((span) => span.parentSpanContext?.spanId))).toEqual(
      new Set([up?.spanContext().spanId]),
    );
    const all = spans().map(({ name, attributes, events }) => ({ name, attributes, events }));
    expect(JSON.stringify(all)).not.toContain("swordfish");
  });

  test("of what fails say so, with what was thrown as others may see it, and all of them end", async () => {
    const { world, Thing, stage, named } = setUp();
    world.fails("create a", "the password is swordfish");
    const hiding = definePlugin({
      name: "hiding",
      apply: ({ hooks }) => hooks.redact.tap("hiding", (c) => ({ ...c, text: c.text.replaceAll("swordfish", "***") })),
    });
    await stage.failures(() => Thing("a"), { plugins: [hiding] });
    const create = named(`create ${Thing.kind}`);
    expect(create?.status).toEqual({ code: SpanStatusCode.ERROR, message: "the password is ***" });
    expect(create?.attributes["error.type"]).toBe("Error");
    expect(create?.events).toMatchObject([
      { name: "exception", attributes: { "exception.message": "the password is ***" } },
    ]);
    expect(named("up")?.status.code).toBe(SpanStatusCode.ERROR);
    expect(named("up")?.attributes["error.type"]).toBe("HANDLER_FAILED");
  });

  test("end where engine() rejects, where a run is interrupted, and where it only looks", async () => {
    const rejected = setUp();
    const stateStore = {
      ...rejected.stage.store,
      list: () => {
        throw new Error("down");
      },
    };
    await expect(rejected.stage.open({ stateStore })).rejects.toThrow("down");
    expect(rejected.tree()).toEqual(["up < none"]);
    expect(rejected.named("up")?.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: "The state could not be read: down",
    });
    const interrupted = setUp();
    const stop = new AbortController();
    interrupted.world.on("create a", () => stop.abort());
    await interrupted.stage.failures(() => interrupted.Thing("a"), { signal: stop.signal });
    expect(interrupted.named("up")?.status.code).toBe(SpanStatusCode.ERROR);
    expect(interrupted.named("up")?.attributes).toMatchObject({ "scope_engine.interrupted": true });
    const { stage, plugin, tree } = setUp();
    await stage.engine.drift("app", { stage: "dev", stateStore: stage.store, plugins: [plugin] });
    expect(tree()).toEqual(["run < none"]);
  });

  test("are one tree for each run of an app, for each of several apps at once, and none for a stage referred to", async () => {
    const { Thing, stage, plugin, tree } = setUp();
    const app = await stage.up(async (root) => {
      await Thing("a");
      await root.outputs({ x: 1 });
    });
    await app.run(() => Thing("a"));
    await app.finalize();
    const create = `create ${Thing.kind}`;
    expect(tree()).toEqual([`${create} < up`, "up < none", "up < none"]);
    const others = ["one", "two"].map((name) => new Stage({ stage: name, stateStore: stage.store, plugins: [plugin] }));
    await Promise.all(
      others.map((other) =>
        other.up(async () => {
          await other.engine.ref("app", { stage: "dev" });
          await Thing("a");
        }),
      ),
    );
    expect(tree().slice(3).toSorted()).toEqual([`${create} < up`, `${create} < up`, "up < none", "up < none"]);
  });
});

test("durations are measured, with what failed", async () => {
  const measured: unknown[] = [];
  const record = (value: number, attributes?: object): void => void measured.push([value >= 0, attributes]);
  const meter: Pick<Meter, "createHistogram"> = { createHistogram: () => ({ record }) };
  const { world, Thing, stage } = setUp(meter as Meter);
  world.fails("create a");
  await stage.failures(() => Thing("a"));
  expect(measured).toContainEqual([true, { "scope_engine.operation": `create ${Thing.kind}`, "error.type": "Error" }]);
});

test("without a provider a run is as it was, and what has to be flushed is", async () => {
  let flushed = 0;
  const world = new World();
  const Thing = world.type();
  const flush = async (): Promise<void> => void flushed++;
  await new Stage({ plugins: [openTelemetry({ flush })] }).up(() => Thing("a"));
  expect([world.names, flushed]).toEqual([["a#1"], 1]);
});
