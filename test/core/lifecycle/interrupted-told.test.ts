/** What is told of a run that somebody ends before its end. */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

type Signalled = { readonly signal: AbortSignal };

/** Ways in which a handler ends when its signal says so. */
const ENDS: Readonly<Record<string, (signal: AbortSignal) => unknown>> = {
  "throws the reason": (signal) => {
    throw signal.reason;
  },
  "throws what Node does": (signal) => once(new EventTarget(), "never", { signal }),
  "throws an error of its own because of it": (signal) => {
    throw new Error("The upload broke off.", { cause: signal.reason });
  },
};

function setUp(end: (signal: AbortSignal) => unknown, at = 2) {
  const interruption = new AbortController();
  let calls = 0;
  const handler = ({ signal }: Signalled): object | Promise<object> => {
    if (++calls < at) return {};
    interruption.abort();
    return Promise.resolve(end(signal)).then(() => ({}));
  };
  const Thing = Resource<object, { on?: unknown }>(newKind(), {
    create: async (context) => handler(context),
    delete: async (context) => void (await handler(context)),
  });
  const stage = new Stage({ concurrency: 1 });
  const options = { signal: interruption.signal };
  return { Thing, stage, options };
}

const five = ["a", "b", "c", "d", "e"];

describe("an interrupted run", () => {
  test.each(Object.entries(ENDS))("has not FAILED where the handler at work %s", async (_how, end) => {
    const { Thing, stage, options } = setUp(end);
    const run = stage.up(() => Promise.all(five.map((id) => Thing(id, {}))), options);
    await expect(run).rejects.toThrow('The run of "app/dev" was interrupted:\n  - The run was aborted by its signal.');
    expect(stage.told).toEqual(["started a", "created a", "started b", "stopped b"]);
    expect(stage.heard("run:finished")).toMatchObject([
      { ok: false, interrupted: true, errors: [{ code: "ABORTED" }] },
    ]);
    expect(stage.heard("run:finished")[0]?.errors).toHaveLength(1);
    expect(stage.summary).toEqual({ created: 1, stopped: 1, notBegun: 3 });
  });

  test("says how much is not begun although all that was at work has ended well", async () => {
    const { Thing, stage, options } = setUp(() => {});
    await stage.up(() => Promise.all(five.map((id) => Thing(id, {}))), options).catch(() => {});
    expect(stage.summary).toEqual({ created: 2, notBegun: 3 });
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false, interrupted: true }]);
  });

  test("counts as not begun what waits for the output of something that was stopped", async () => {
    const { Thing, stage, options } = setUp(ENDS["throws the reason"]!, 1);
    const program = () => {
      const first = Thing("a", {});
      return Promise.all([first, Thing("b", { on: first })]);
    };
    await stage.up(program, options).catch(() => {});
    expect(stage.summary).toEqual({ stopped: 1, notBegun: 1 });
  });

  test.each(["sequential", "parallel"] as const)(
    "says how many deletes are not begun (%s)",
    async (destroyStrategy) => {
      const { Thing, stage, options } = setUp(ENDS["throws the reason"]!, 7);
      await stage.up(() => Promise.all(five.map((id) => Thing(id, {}))));
      await stage.up(() => {}, { ...options, destroyStrategy }).catch(() => {});
      expect(stage.summary).toEqual({ deleted: 1, stopped: 1, notBegun: 3 });
    },
  );

  test("leaves no failure in the record of what was stopped", async () => {
    const { Thing, stage, options } = setUp(ENDS["throws what Node does"]!, 1);
    await stage.up(() => Thing("a", {}), options).catch(() => {});
    const app = await stage.open();
    expect(recordOf(app, "a")).toMatchObject({ status: "creating" });
    expect(recordOf(app, "a")?.error).toBeUndefined();
    await app.finalize({ noop: true });
  });

  test("has FAILED where a handler failed for a reason of its own, and still says what is not begun", async () => {
    const { Thing, stage, options } = setUp(() =>
      Promise.reject(new EngineError("HANDLER_FAILED", "The disk is full.")),
    );
    await stage.up(() => Promise.all(five.map((id) => Thing(id, {}))), options).catch(() => {});
    expect(stage.summary).toEqual({ created: 1, failed: 1, notBegun: 3 });
  });
});
