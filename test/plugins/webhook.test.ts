import { describe, expect, test, vi } from "vitest";
import { type WebhookOptions, webhook } from "../../plugins/webhook/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";
import { ownTime } from "../helpers/time/own-time.js";
import { until } from "../helpers/time/until.js";
import { tellsBeforeItsEnd } from "./tells-before-its-end.ts";
import { receiver } from "./webhook-receiver.ts";

ownTime();

function setUp(options: WebhookOptions) {
  const world = new World();
  return { world, Thing: world.type(), stage: new Stage({ plugins: [webhook(options)] }) };
}

describe("a message", () => {
  test("says who did what, how long it took and how it ended, also in a later run of the same app", async () => {
    const { url, bodies } = await receiver();
    const { Thing, stage } = setUp({ url });
    const app = await stage.up(() => Thing("a"));
    await app.run(() => Thing("b"));
    await app.finalize();
    expect(bodies.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\*app\/dev\*: up done in \d+\.\d s by \S+@\S+: 1 created$/),
      expect.stringMatching(/: 1 created, 1 deleted$/),
    ]);
  });

  test("has failures, in which nothing is markup, and up to ten of them", async () => {
    const { url, bodies } = await receiver();
    const { world, Thing, stage } = setUp({ url });
    const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
    for (const id of ids) world.fails(`create ${id}`, "<!channel> & all");
    await stage.failures(() => Promise.allSettled(ids.map((id) => Thing(id))));
    const [{ text } = { text: "" }] = bodies;
    expect(text).toContain('• HANDLER_FAILED: create of "app/dev/n0" failed: &lt;!channel&gt; &amp; all');
    expect(text.split("\n")).toHaveLength(11);
    expect(stage.heard("warning")).toEqual([]);
  });

  test("is sent of an engine() that rejects, and of plans where that is wanted; never of reads", async () => {
    const { url, bodies } = await receiver();
    const { Thing, stage } = setUp({ url, plans: true });
    await stage.up(() => Thing("a"), { plan: true });
    await stage.up(() => {}, { phase: "read" });
    const broken = {
      ...stage.store,
      list: () => {
        throw new Error("down");
      },
    };
    await expect(stage.open({ stateStore: broken })).rejects.toThrow("down");
    expect(bodies.map(({ text }) => text)).toEqual([
      "*app/dev*: a plan: 1 create",
      expect.stringMatching(/up by .* could not start\n• STORE_FAILED: The state could not be read: down$/),
    ]);
  });

  test("has the form that is wanted, or is none", async () => {
    const { url, bodies } = await receiver();
    const { stage } = setUp({
      url,
      format: (event) => (event.type === "run:finished" ? { done: event.ok } : undefined),
    });
    await stage.up();
    expect(bodies).toEqual([{ done: true }]);
  });
});

describe("what is not delivered", () => {
  test("is tried once more, and is a warning without the URL", async () => {
    const good = await receiver(500, 200);
    const once = setUp({ url: good.url });
    await once.stage.up();
    expect([good.bodies.length, once.stage.heard("warning")]).toEqual([2, []]);
    const bad = await receiver(503, 404);
    const { stage } = setUp({ url: bad.url });
    await stage.up();
    expect(stage.heard("warning")).toMatchObject([
      { code: "WEBHOOK_FAILED", message: 'The webhook did not confirm the message about "app/dev": it answered 404.' },
    ]);
    const gone = setUp({ url: "http://127.0.0.1:1/swordfish" });
    await gone.stage.up();
    expect(JSON.stringify(gone.stage.events)).not.toContain("swordfish");
    expect(gone.stage.heard("warning")).toHaveLength(1);
  });

  test("keeps an embedded run waiting for 2 seconds, and does not fail it", async () => {
    const { url, bodies } = await receiver("never");
    const { stage } = setUp({ url });
    let isOver = false;
    const running = stage.up().then(() => (isOver = true));
    await until(() => bodies.length > 0);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    await running;
    expect(stage.heard("run:finished")).toMatchObject([{ ok: true }]);
    expect(stage.heard("warning")).toMatchObject([{ message: expect.stringContaining("did not answer in time") }]);
  });

  test("a URL that is none is refused without telling it, and others hide it", async () => {
    expect(() => webhook({ url: "swordfish" })).toThrow(
      /^webhook\(\) needs an http or https URL\. Pass { url }, or leave the plugin out\.$/,
    );
    const { url } = await receiver();
    const { world, Thing, stage } = setUp({ url });
    world.fails("create a", `cannot post to ${url}`);
    await stage.failures(() => Thing("a"));
    expect(JSON.stringify(stage.events)).not.toContain("swordfish");
    expect(JSON.stringify(webhook({ url }))).not.toContain("swordfish");
  });
});

describe("a process", () => tellsBeforeItsEnd([200]));

test("what cannot be made into JSON is a warning, and nothing else", async () => {
  const unhandled: unknown[] = [];
  const onRejection = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onRejection);
  const { url, bodies } = await receiver();
  const { stage } = setUp({ url, format: () => ({ many: 1n }) });
  await stage.up();
  await new Promise(setImmediate);
  process.off("unhandledRejection", onRejection);
  expect(unhandled).toEqual([]);
  expect(bodies).toEqual([]);
  expect(stage.heard("warning")).toMatchObject([{ message: expect.stringContaining("BigInt") }]);
});

test("a URL that ends in a line break is reported, and hidden like any other", async () => {
  const { url, bodies } = await receiver(500, 500);
  const { stage } = setUp({ url: `${url}\n` });
  const failing = () => {
    throw new Error(`lost ${url}`);
  };
  await expect(stage.up(failing)).rejects.toThrow();
  expect(bodies).toHaveLength(2);
  const told = JSON.stringify([bodies, stage.events]);
  expect(told).toContain("lost (webhook)");
  expect(told).not.toContain("swordfish");
});
