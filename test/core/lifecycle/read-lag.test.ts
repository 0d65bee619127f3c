/** A service whose new objects appear in reads only after a delay. */

import { describe, expect, test } from "vitest";
import { monotonicNow, sleep } from "../../../core/base/index.js";
import type { EngineOptions } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { inSimulatedTime } from "../../helpers/time/in-simulated-time.js";

interface Props {
  readonly value?: number;
}

interface Type {
  readonly readLag?: number;
  readonly verify?: boolean;
  /** False: the service is only read by its token. */
  readonly update?: boolean;
}

const LAG = 30_000;
const SHOWN_AFTER = 20_000;

/** A service whose list shows an object some time after its create; a create may answer with an error. */
class Service {
  readonly things = new Map<string, { readonly token: string; readonly from: number }>();
  /** This many creates take effect and fail. */
  failing = 0;
  creates = 0;
  reads = 0;
  lag = SHOWN_AFTER;

  type({ readLag = LAG, verify = false }: Type = {}) {
    return Resource<{ id: string }, Props>(newKind(), {
      readLag,
      verify,
      recognizesOwn: true,
      create: ({ token }) => {
        const id = `thing-${++this.creates}`;
        this.things.set(id, { token, from: monotonicNow() + this.lag });
        if (this.failing-- > 0) throw new Error("connection reset");
        return { id };
      },
      read: ({ output, token }) => {
        this.reads++;
        for (const [id, thing] of this.things)
          if (monotonicNow() >= thing.from && (output ? id === output.id : thing.token === token)) return { id };
        return undefined;
      },
      update: ({ output }) => output,
      delete: ({ output }) => void this.things.delete(output.id),
    });
  }

  /** Lags again from now on, for all existing objects. */
  lagAgain(): void {
    for (const [id, { token }] of this.things) this.things.set(id, { token, from: monotonicNow() + this.lag });
  }

  get names(): string[] {
    return [...this.things.keys()];
  }
}

function setUp(type?: Type) {
  const service = new Service();
  return { service, Thing: service.type(type), stage: new Stage() };
}

/** A test whose service runs in simulated time. */
const timed = (title: string, body: () => Promise<void>): void => test(title, () => inSimulatedTime(body));

describe("a create whose answer is lost, at a service that shows it later", () => {
  timed("makes one thing where it is repeated in the same run", async () => {
    const { service, Thing, stage } = setUp();
    service.failing = 1;
    await stage.up(() => Thing("a", {}, { retry: { attempts: 3, delay: 10 } }));
    expect(service.names).toEqual(["thing-1"]);
  });

  test.each<[string, (stage: Stage) => Promise<unknown>]>([
    ["the next run prunes it", (stage) => stage.up(() => {})],
    ["the stage is destroyed", (stage) => stage.destroy()],
  ])("leaves nothing where %s", async (_how, end) => {
    await inSimulatedTime(async () => {
      const { service, Thing, stage } = setUp();
      service.failing = 1;
      await stage.failures(() => Thing("a"));
      service.lagAgain();
      await end(stage);
      expect(service.names).toEqual([]);
      await stage.up(() => {});
      expect(stage.summary).toEqual({});
    });
  });
});

describe("a resource that is looked at right after it was made", () => {
  test.each<[string, Type, EngineOptions]>([
    ["verify", { verify: true }, {}],
    ["refresh", {}, { refresh: true }],
    ["a plan", { verify: true }, { plan: true }],
  ])("is not taken for gone: %s", async (_what, type, options) => {
    await inSimulatedTime(async () => {
      const { service, Thing, stage } = setUp(type);
      await stage.up(() => Thing("a"));
      service.lagAgain();
      await stage.up(() => Thing("a"), options);
      expect(stage.heard("resource:drifted")).toEqual([]);
      expect(stage.heard("plan:made").flatMap(({ actions }) => actions)).toEqual([]);
      expect(service.names).toEqual(["thing-1"]);
    });
  });

  timed("is made again where it is still not there after the time, which is not waited for twice", async () => {
    const { service, Thing, stage } = setUp({ verify: true });
    await stage.up(() => Thing("a"));
    service.things.clear();
    const began = monotonicNow();
    await stage.up(() => Thing("a"));
    expect(monotonicNow() - began).toBeGreaterThanOrEqual(LAG);
    expect(monotonicNow() - began).toBeLessThan(2 * LAG);
    expect(service.names).toEqual(["thing-2"]);
  });
});

describe("a read that finds nothing", () => {
  test("is believed at once without readLag", async () => {
    const { service, Thing, stage } = setUp({ readLag: 0 });
    service.failing = 1;
    await stage.failures(() => Thing("a"));
    await stage.up(() => Thing("a"));
    expect(service.names).toEqual(["thing-1", "thing-2"]);
    expect(service.reads).toBe(1);
  });

  timed("is believed at once where the create was longer ago than that, in the same run", async () => {
    const { service, Thing, stage } = setUp({ verify: true });
    const app = await stage.open({ reapply: true });
    await app.run(async () => {
      await Thing("a");
      service.things.clear();
      await sleep(LAG);
      await Thing("a");
    });
    expect(service.reads).toBe(1);
    await app.finalize();
  });

  test("before anything was created is believed at once, where something might be adopted", async () => {
    const { service, Thing, stage } = setUp();
    await stage.up(() => Thing("a", {}, { adopt: true }));
    expect(service.reads).toBe(1);
  });

  timed("is asked about again at growing intervals, and said once", async () => {
    const { service, Thing, stage } = setUp({ verify: true });
    await stage.up(() => Thing("a"));
    service.things.clear();
    await stage.up(() => Thing("a"));
    expect(service.reads).toBeGreaterThan(5);
    expect(service.reads).toBeLessThan(20);
    expect(stage.heard("resource:log")).toMatchObject([{ id: "a", message: expect.stringContaining("up to 30 s") }]);
  });
});

timed("an interruption ends the wait for a read that finds nothing, and makes no second thing", async () => {
  const { service, Thing, stage } = setUp();
  service.failing = 1;
  await stage.failures(() => Thing("a"));
  service.lagAgain();
  const controller = new AbortController();
  const began = monotonicNow();
  const running = stage.failures(() => Thing("a"), { signal: controller.signal });
  await sleep(1_000);
  controller.abort();
  expect(await running).toMatchObject([{ code: "ABORTED" }]);
  expect(monotonicNow() - began).toBeLessThan(LAG / 2);
  expect(service.names).toEqual(["thing-1"]);
  await stage.up(() => Thing("a"));
  expect(service.names).toEqual(["thing-1"]);
});

test.each<[string, object]>([
  ["a negative number", { readLag: -1, read: () => undefined }],
  ["a text", { readLag: "5s", read: () => undefined }],
  ["without read", { readLag: 5 }],
])("readLag is refused: %s", (_what, members) => {
  const define = () => Reflect.apply(Resource, undefined, [newKind(), { create: () => ({}), ...members }]);
  expect(define).toThrow(expect.objectContaining({ code: "INVALID_DEFINITION" }));
});
