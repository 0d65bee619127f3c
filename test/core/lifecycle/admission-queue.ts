/** Declares thousands of resources, and records the state that their handlers observe. */
import { expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

/** More than twice the number that one append takes. */
export const COUNT = 10_000;

export const ids = Array.from({ length: COUNT }, (_, index) => `r${index}`);

interface Seen {
  readonly calls: string[];
  /** Highest number of recorded intents when a handler began. */
  pending: number;
}

/** A type whose handlers answer at once, and the calls and intents that they observed. */
export function setUp(app: () => Scope, before: () => void = () => {}) {
  const seen: Seen = { calls: [], pending: 0 };
  const called = (phase: string) => (context: { readonly id: string; readonly props: { readonly value: number } }) => {
    const { id, props } = context;
    seen.calls.push(`${phase} ${id} ${props.value}`);
    if (seen.calls.length % 50 === 1) {
      const pending = recordsOf(app()).filter(({ status }) => status !== "ready").length;
      seen.pending = Math.max(seen.pending, pending);
    }
    before();
    return { id };
  };
  const Thing = Resource<{ id: string }, { value: number }>(newKind(), {
    create: called("create"),
    update: called("update"),
    delete: () => {},
  });
  return { Thing, seen };
}

/** @param count number of declared resources */
export function leavesWhatHasBegun(count: number): void {
  test("leave nothing but what has begun where the run is interrupted", async () => {
    const interruption = new AbortController();
    const stage = new Stage({ signal: interruption.signal, concurrency: 1 });
    const { Thing, seen } = setUp(
      () => app,
      () => interruption.abort(),
    );
    const app = await stage.open();
    const all = ids.slice(0, count);
    const ends = await app.run(() => Promise.allSettled(all.map((id) => Thing(id, { value: 1 }))));
    await app.finalize().catch(() => {});
    expect(seen.calls).toEqual(["create r0 1"]);
    expect(ends.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(count - 1);
    expect(recordsOf(app).map(({ key }) => key)).toEqual(["r0"]);
  });
}

export interface Waiting {
  last: Promise<unknown> | undefined;
}

/** Declares this many resources, and then the one that they wait for. */
export async function upTo(
  stage: Stage,
  waiting: Waiting,
  declare: (id: string) => Promise<unknown>,
  count = 6_000,
): Promise<Scope> {
  const Last = Resource<object, object>(newKind(), { create: () => ({}), delete: () => {} });
  return stage.up(() => {
    const all = ids.slice(0, count).map(declare);
    waiting.last ??= Last("last", {});
    return Promise.all([...all, waiting.last]);
  });
}

/** @param count number of handlers that wait */
export function isMadeForHandlers(count: number): void {
  test(`is made though ${count} handlers wait for it`, async () => {
    const stage = new Stage({ concurrency: COUNT });
    const waiting: Waiting = { last: undefined };
    const Child = Resource<object, { on?: unknown }>(newKind(), { create: () => ({}), delete: () => {} });
    const Parent = Resource<object, object>(newKind(), {
      create: async () => {
        await Child("child", { on: waiting.last });
        return {};
      },
      delete: () => {},
    });
    expect(recordsOf(await upTo(stage, waiting, (id) => Parent(id, {}), count))).toHaveLength(2 * count + 1);
  });
}
