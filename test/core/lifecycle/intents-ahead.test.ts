/** Bounds how far intents run ahead of handlers: a killed run must treat each of them as begun. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Resource } from "../../../core/resource/index.js";
import { createTestApp } from "../../../plugins/testing/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { recordingStore } from "../../helpers/stores/recording-store.js";
import { gate } from "../../helpers/time/gate.js";

const CONCURRENCY = 8;
/** The running ones, and twice as many that may run next. */
const MOST = 3 * CONCURRENCY;
const ids = Array.from({ length: 60 }, (_, index) => `r${index}`);

/** A type whose handlers end only once as many run as may run at once; records the most pending intents meanwhile. */
function setUp(app: () => Scope) {
  const full = gate();
  const seen = { pending: 0, begun: 0 };
  const handler = async (): Promise<object> => {
    if (++seen.begun === CONCURRENCY) full.open();
    await full.opened;
    seen.pending = Math.max(seen.pending, recordsOf(app()).filter(({ status }) => status !== "ready").length);
    return {};
  };
  const Thing = Resource<object, { value?: number }>(newKind(), {
    create: handler,
    read: ({ output }) => output,
    update: handler,
    delete: async () => void (await handler()),
  });
  return { Thing, seen };
}

const hooked = definePlugin({ name: "hooked", apply: ({ hooks }) => hooks.beforeApply.tap("hooked", () => {}) });

describe(`of 60 resources, ${CONCURRENCY} of which may be at work`, () => {
  test.each([
    ["are created", {}, {}],
    ["are created and hooks are asked", { plugins: [hooked] }, {}],
    ["are looked for first", {}, { adopt: true }],
  ] as const)(`no more than ${MOST} have an intent where they %s`, async (_how, options, given) => {
    const stage = new Stage({ concurrency: CONCURRENCY, ...options });
    const app = await stage.open();
    const { Thing, seen } = setUp(() => app);
    await app.run(() => Promise.all(ids.map((id) => Thing(id, {}, given))));
    await app.finalize();
    expect(seen.begun).toBe(60);
    expect(seen.pending).toBeGreaterThanOrEqual(CONCURRENCY);
    expect(seen.pending).toBeLessThanOrEqual(MOST);
  });

  test(`no more than ${MOST} are recorded as being deleted, however wide the order is`, async () => {
    const stage = new Stage({ concurrency: CONCURRENCY, destroyStrategy: "parallel" });
    let app: Scope | undefined;
    const { Thing, seen } = setUp(() => app as Scope);
    app = await stage.open();
    await app.run(() => Promise.all(ids.map((id) => Thing(id, {}))));
    await app.finalize();
    Object.assign(seen, { pending: 0, begun: 0 });
    app = await stage.open();
    await app.finalize();
    expect(seen.begun).toBe(60);
    expect(seen.pending).toBeLessThanOrEqual(MOST);
    expect(recordsOf(app)).toEqual([]);
  });
});

describe("a run of 60 creates that is killed", () => {
  async function killed(program: (ids: readonly string[]) => readonly string[]) {
    await using app = await createTestApp({ concurrency: CONCURRENCY });
    const Thing = Resource<object, object>(newKind(), { create: () => ({}), delete: () => {} });
    app.faults.kill(Thing.kind, "create");
    await app.run(() => Promise.all(ids.map((id) => Thing(id, {})))).catch(() => {});
    await app.run(() => Promise.all(program(ids).map((id) => Thing(id, {})))).catch(() => {});
    const warnings = app.events.flatMap((event) => (event.type === "warning" ? [event] : []));
    // Disposing the app destroys everything, so the doubtful creates must be settled before.
    await app.run(() => Promise.all(ids.map((id) => Thing(id, {}))));
    return warnings;
  }

  test("is reported by one warning, which says how many were interrupted, some perhaps before they began", async () => {
    const warnings = await killed((all) => all);
    expect(warnings).toMatchObject([{ code: "REPEATED_CREATE" }]);
    const [, count] =
      /^(\d+) creates were interrupted, some perhaps before they began\. .* so the engine repeats them\. /.exec(
        warnings[0]?.message ?? "",
      ) ?? [];
    expect(Number(count)).toBeGreaterThan(1);
    expect(Number(count)).toBeLessThanOrEqual(MOST);
    expect(warnings[0]?.fqns).toHaveLength(Number(count));
    expect(warnings[0]?.message).toMatch(/ Resources: "test\/test\/r0", .* and \d+ more\.$/);
  });

  test("is also reported by one warning if they are no longer declared", async () => {
    const warnings = await killed(() => []);
    expect(warnings).toMatchObject([{ code: "UNRESOLVED" }]);
    expect(warnings[0]?.message).toMatch(
      /^\d+ creates were interrupted, some perhaps before they began, and ".*" has no read handler/,
    );
  });
});

test.each([
  [64, 20],
  [8, 140],
])(
  "1,000 creates at once on a store without append, %d at a time, take %d requests at most",
  async (concurrency, most) => {
    const { store, calls } = recordingStore({ append: false });
    const stage = new Stage({ stateStore: store, concurrency });
    const Thing = Resource<object, object>(newKind(), { create: () => ({}), delete: () => {} });
    await stage.up(() => Promise.all(Array.from({ length: 1_000 }, (_, n) => Thing(`r${n}`, {}))));
    expect(stage.summary).toEqual({ created: 1_000 });
    expect(calls.length).toBeLessThanOrEqual(most);
  },
);
