/** Far more resources are declared at once than may run, and than one append takes. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/scope.js";
import { Resource } from "../../../core/resource/define.js";
import { recordsOf, Stage } from "../../helpers/stage.js";
import { newKind } from "../../helpers/world.js";
import { COUNT, ids, setUp } from "./admission-queue.js";

describe(`${COUNT} resources that are declared at once`, () => {
  test("leave nothing but what has begun where the run is interrupted", async () => {
    const interruption = new AbortController();
    const stage = new Stage({ signal: interruption.signal, concurrency: 1 });
    const { Thing, seen } = setUp(
      () => app,
      () => interruption.abort(),
    );
    const app = await stage.open();
    const ends = await app.run(() => Promise.allSettled(ids.map((id) => Thing(id, { value: 1 }))));
    await app.finalize().catch(() => {});
    expect(seen.calls).toEqual(["create r0 1"]);
    expect(ends.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(COUNT - 1);
    expect(recordsOf(app).map(({ key }) => key)).toEqual(["r0"]);
  });
});

/** Everything that a program or a plugin may wait for, though thousands wait for their turn. */
describe("what is declared last", () => {
  const patience = COUNT;
  interface Waiting {
    last: Promise<unknown> | undefined;
  }

  /** Declares thousands, and then what they wait for. */
  async function upTo(stage: Stage, waiting: Waiting, declare: (id: string) => Promise<unknown>): Promise<Scope> {
    const Last = Resource<object, object>(newKind(), { create: () => ({}), delete: () => {} });
    return stage.up(() => {
      const all = ids.slice(0, 6_000).map(declare);
      waiting.last ??= Last("last", {});
      return Promise.all([...all, waiting.last]);
    });
  }

  test("is made though thousands of handlers wait for it", async () => {
    const stage = new Stage({ concurrency: patience });
    const waiting: Waiting = { last: undefined };
    const Child = Resource<object, { on?: unknown }>(newKind(), { create: () => ({}), delete: () => {} });
    const Parent = Resource<object, object>(newKind(), {
      create: async () => {
        await Child("child", { on: waiting.last });
        return {};
      },
      delete: () => {},
    });
    expect(recordsOf(await upTo(stage, waiting, (id) => Parent(id, {})))).toHaveLength(12_001);
  });
});
