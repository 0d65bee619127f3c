import { afterEach } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { AnyEvent, EngineOptions, EnginePlugin, Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { createEngine, type Engine, type EngineParts } from "../../../plugins/engine/index.js";

export interface TestApps {
  /** The engine without built-in plugins. */
  readonly engine: Engine;
  /** An app on a store in memory, its own unless one is given. Returns before anything is awaited, as engine() does. */
  open(options?: EngineOptions, name?: string): Promise<Scope>;
}

/** Apps that live no longer than the test that made them. */
export function testApps(parts: EngineParts = {}): TestApps {
  const engine = createEngine(parts);
  const opened = new Set<Scope>();
  afterEach(async () => {
    for (const app of opened) await app[Symbol.asyncDispose]();
    opened.clear();
  });
  return {
    engine,
    open(options = {}, name = "shop") {
      const app = engine(name, { stage: "dev", stateStore: memoryStore(), ...options });
      const note = (root: Scope): void => void opened.add(root);
      app.then(note, () => {});
      return app;
    },
  };
}

export interface Recorder {
  readonly plugin: EnginePlugin;
  readonly events: AnyEvent[];
  /** `type fqn` of the events about resources. */
  actions(): string[];
  warnings(): string[];
}

/** A plugin that records all events. */
export function recorder(): Recorder {
  const events: AnyEvent[] = [];
  const plugin = definePlugin({
    name: "recorder",
    apply({ events: source }) {
      source.on("*", (_type, { time: _, ...event }) => void events.push(event as AnyEvent));
    },
  });
  return {
    plugin,
    events,
    actions: () =>
      events.flatMap((event) =>
        event.type.startsWith("resource:") && !/:(queued|started)$/.test(event.type) && "fqn" in event
          ? [`${event.type.slice("resource:".length)} ${event.fqn}`]
          : [],
      ),
    warnings: () => events.flatMap((event) => (event.type === "warning" ? [event.code] : [])),
  };
}

/** The value that a promise rejects with; a promise that resolves fails the test. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("It was expected to reject.");
}
