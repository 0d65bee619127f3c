/** The event table and its guarded bus: observers hear, and can neither change, delay nor fail a run. */
import mitt, { type Emitter } from "mitt";
import { EngineError, messageOf, type Redact, timeOfDay } from "../base/index.js";
import type { EngineEvents, EventBus, EventName, EventSource } from "../contract/index.js";
import { checkEventName } from "./event-names.js";
import { frozen, redacted } from "./event-payload.js";

type Observer = (...args: never[]) => void;

/** As mitt calls it: an observer of all events is given the name first. */
type Guarded = (...args: unknown[]) => void;

/** @param redact takes out of texts for people what must not be seen */
export function createEventBus(redact: Redact = (text) => text): EventBus {
  // Under NodeNext mitt's default export is typed as a module: the one cast that it needs.
  const emitter = (mitt as unknown as () => Emitter<Record<string, unknown>>)();
  const reported = new WeakSet<Observer>();
  const guards = new WeakMap<Observer, Map<string, Guarded>>();

  const isHeard = (channel: string): boolean => {
    const handlers = emitter.all.get(channel);
    return handlers !== undefined && handlers.length > 0;
  };
  const emit = <N extends EventName>(name: N, event: EngineEvents[N]): void => {
    if (!isHeard(name) && !isHeard("*")) return;
    emitter.emit(name, frozen({ type: name, time: timeOfDay(), ...redacted(event, redact) }));
  };
  const report = (observer: Observer, name: string, error: unknown): void => {
    // Once each: an observer of "warning" that throws would otherwise be told of its own failure for ever.
    if (reported.has(observer)) return;
    reported.add(observer);
    emit("warning", { code: "OBSERVER_FAILED", message: `An observer of "${name}" failed: ${messageOf(error)}` });
  };
  const guard = (observer: Observer, name: string): Guarded => {
    const known = guards.get(observer) ?? new Map<string, Guarded>();
    guards.set(observer, known);
    const guarded = known.get(name) ?? guarding(observer, (error) => report(observer, name, error));
    known.set(name, guarded);
    return guarded;
  };
  const source: EventSource = {
    on(name: string, observer: Observer) {
      checkEventName(name);
      if (typeof observer !== "function") {
        throw new EngineError("INVALID_DEFINITION", `An observer of "${name}" must be a function.`);
      }
      emitter.on(name, guard(observer, name));
    },
    off(name: string, observer: Observer) {
      checkEventName(name);
      const guarded = guards.get(observer)?.get(name);
      // Without a handler mitt would remove everybody's.
      if (guarded) emitter.off(name, guarded);
    },
  };
  return {
    source: Object.freeze(source),
    emit,
    warn: (code, message, fqn) => emit("warning", fqn === undefined ? { code, message } : { code, message, fqn }),
  };
}

/** The observer, with what it throws or rejects handed to `failed`. */
function guarding(observer: Observer, failed: (error: unknown) => void): Guarded {
  return (...args) => {
    try {
      const answer: unknown = (observer as Guarded)(...args);
      if (typeof answer === "object" && answer !== null && "then" in answer) Promise.resolve(answer).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
