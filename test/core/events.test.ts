import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AnyEvent, EngineEvents, EventName } from "../../core/contract/index.js";
import { redacted } from "../../core/plugin/events.js";
import { createEventBus } from "../../core/plugin/index.js";

const created = { kind: "fs:File", id: "index", fqn: "shop/dev/index", duration: 3, waited: 1 };
const time: unknown = expect.any(String);
/** The event as listeners get it. */
const heardOf = { type: "resource:created", time, ...created };
const summary = {
  created: 1,
  updated: 0,
  replaced: 0,
  adopted: 0,
  read: 0,
  unchanged: 0,
  deleted: 0,
  retained: 0,
  left: 0,
  failed: 0,
  stopped: 0,
  notBegun: 0,
};
const run = { run: "1a", app: "shop", stage: "dev", phase: "up", planned: false } as const;
const by = { user: "ada", host: "here", pid: 1 };
const finished = { ...run, by, ok: true, interrupted: false, duration: 3, errors: [] } as const;

// biome-ignore lint/suspicious/noThenProperty: the promises of other libraries are such objects
const foreign = { then: (_: unknown, reject: (error: Error) => void) => reject(new Error("No.")) };

type Warning = EngineEvents["warning"];

describe("an observer", () => {
  it("hears the events of its name, and no others", () => {
    const bus = createEventBus();
    const heard: unknown[] = [];
    bus.source.on("resource:created", (event) => heard.push(event));
    bus.emit("resource:created", created);
    bus.emit("resource:updated", created);
    expect(heard).toEqual([heardOf]);
  });

  it('of "*" hears all, as mitt has it: the type, and the event', () => {
    const bus = createEventBus();
    const heard: [EventName, AnyEvent][] = [];
    bus.source.on("*", (...args) => heard.push(args));
    bus.emit("resource:created", created);
    bus.warn("LOCAL_STATE", "State is kept on this machine only.");
    const warning = { type: "warning", time, code: "LOCAL_STATE", message: "State is kept on this machine only." };
    expect(heard).toEqual([
      ["resource:created", heardOf],
      ["warning", warning],
    ]);
  });

  it("can hear several names, and stop hearing one of them", () => {
    const bus = createEventBus();
    const heard: unknown[] = [];
    const observer = (...args: unknown[]) => void heard.push(...args);
    bus.source.on("resource:created", observer);
    bus.source.on("resource:updated", observer);
    bus.source.on("*", observer);
    bus.emit("resource:created", created);
    bus.source.off("resource:created", observer);
    bus.source.off("*", observer);
    bus.emit("resource:created", created);
    bus.emit("resource:updated", created);
    expect(heard).toEqual([heardOf, "resource:created", heardOf, { ...heardOf, type: "resource:updated" }]);
  });

  it("that was never added removes no other listener when it stops", () => {
    const bus = createEventBus();
    const heard: unknown[] = [];
    const observer = (event: unknown) => void heard.push(event);
    bus.source.on("resource:created", observer);
    bus.source.off("resource:created", () => undefined);
    bus.source.off("resource:updated", observer);
    bus.source.off("*", observer);
    Reflect.apply(bus.source.off, bus.source, ["resource:created"]);
    bus.emit("resource:created", created);
    expect(heard).toHaveLength(1);
  });

  it("can stop hearing while it hears, without the next one missing the event", () => {
    const bus = createEventBus();
    const heard: string[] = [];
    const once = () => {
      heard.push("once");
      bus.source.off("resource:created", once);
    };
    bus.source.on("resource:created", once);
    bus.source.on("resource:created", () => void heard.push("always"));
    bus.emit("resource:created", created);
    bus.emit("resource:created", created);
    expect(heard).toEqual(["once", "always", "always"]);
  });

  it("gets what it cannot change, at no depth", () => {
    const bus = createEventBus();
    let heard: EngineEvents["run:finished"] | undefined;
    bus.source.on("run:finished", (event) => {
      heard = event;
      Reflect.set(event, "ok", false);
      Reflect.set(event.summary, "created", 99);
    });
    const payload = { ...finished, summary: { ...summary } };
    bus.emit("run:finished", payload);
    expect(heard).toEqual({ type: "run:finished", time, ...finished, summary });
    expect(payload).toEqual({ ...finished, summary });
  });

  it("that is not a function is INVALID_DEFINITION", () => {
    const { source } = createEventBus();
    expect(() => Reflect.apply(source.on, source, ["warning", undefined])).toThrow(
      expect.objectContaining({ code: "INVALID_DEFINITION", message: 'An observer of "warning" must be a function.' }),
    );
  });

  it("sees on, off and nothing that emits", () => {
    const { source } = createEventBus();
    expect(Object.keys(source)).toEqual(["on", "off"]);
    expect(Object.isFrozen(source)).toBe(true);
  });
});

describe("an observer that fails", () => {
  function listenForWarnings() {
    const bus = createEventBus();
    const warnings: Warning[] = [];
    bus.source.on("warning", (event) => warnings.push(event));
    return { bus, warnings };
  }
  const failing = {
    type: "warning",
    time,
    code: "OBSERVER_FAILED",
    message: 'An observer of "resource:created" failed: No.',
  };

  it.each([
    [
      "throws",
      () => {
        throw new Error("No.");
      },
    ],
    [
      "rejects",
      async () => {
        await setImmediate();
        throw new Error("No.");
      },
    ],
    ["returns a thenable of its own that rejects", () => foreign],
  ])("because it %s does not reach the run and is reported once", async (_how, observer) => {
    const { bus, warnings } = listenForWarnings();
    bus.source.on("resource:created", observer);
    for (const _ of [1, 2, 3]) bus.emit("resource:created", created);
    await setImmediate();
    await setImmediate();
    expect(warnings).toEqual([failing]);
  });

  it("does not keep the others from hearing", () => {
    const bus = createEventBus();
    const heard: unknown[] = [];
    bus.source.on("resource:created", () => {
      throw new Error("No.");
    });
    bus.source.on("resource:created", (event) => heard.push(event));
    bus.source.on("*", (_type, event) => heard.push(event.type));
    bus.emit("resource:created", created);
    expect(heard).toContainEqual(heardOf);
    expect(heard).toContain("resource:created");
  });

  it("is reported once each", () => {
    const { bus, warnings } = listenForWarnings();
    bus.source.on("resource:created", () => {
      throw new Error("one");
    });
    bus.source.on("resource:created", () => {
      throw new Error("two");
    });
    bus.emit("resource:created", created);
    bus.emit("resource:created", created);
    expect(warnings.map(({ message }) => message.split(": ").at(-1))).toEqual(["one", "two"]);
  });

  it.each([["warning"], ["*"]] as const)('on "%s" itself is not an endless loop', async (name) => {
    const bus = createEventBus();
    let calls = 0;
    const observer = () => {
      calls += 1;
      throw new Error("No.");
    };
    if (name === "*") bus.source.on("*", observer);
    else bus.source.on("warning", observer);
    bus.warn("A", "one");
    expect(calls).toBe(2);
    bus.warn("B", "two");
    await setImmediate();
    expect(calls).toBe(3);
  });

  it("on warnings asynchronously is not an endless loop", async () => {
    const bus = createEventBus();
    let calls = 0;
    const observer: () => unknown = async () => {
      calls += 1;
      await setImmediate();
      throw new Error("No.");
    };
    bus.source.on("warning", observer);
    bus.warn("A", "one");
    for (const _ of [1, 2, 3, 4, 5]) await setImmediate();
    expect(calls).toBe(2);
  });
});

describe("emitting", () => {
  it("touches no payload while there is no listener, even if there was one before", () => {
    const bus = createEventBus();
    const observer = () => undefined;
    bus.source.on("resource:created", observer);
    bus.source.on("*", observer);
    bus.source.off("resource:created", observer);
    bus.source.off("*", observer);
    const untouchable = new Proxy(created, {
      ownKeys() {
        throw new Error("The payload was read.");
      },
    });
    expect(() => bus.emit("resource:created", untouchable)).not.toThrow();
  });

  it("warns with an FQN only where there is one", () => {
    const bus = createEventBus();
    const warnings: Warning[] = [];
    bus.source.on("warning", (event) => warnings.push(event));
    bus.warn("A", "one");
    bus.warn("B", "two", "shop/dev");
    expect(warnings.map((event) => Object.keys(event))).toEqual([
      ["type", "time", "code", "message"],
      ["type", "time", "code", "message", "fqn"],
    ]);
  });
});

it("whose only texts are in a list is heard without what must not be seen", () => {
  const safe = redacted({ code: "hush", frames: ["at hush (a.ts)"] }, (text) => text.replaceAll("hush", "***"));
  expect(safe).toEqual({ code: "hush", frames: ["at *** (a.ts)"] });
});
