/** The event table and its guarded bus: observers can neither change, delay nor fail a run. */
import mitt, { type Emitter } from "mitt";
import { EngineError, messageOf, nearest, type Redact, timeOfDay } from "../base/index.js";
import type { EngineEvents, EventBus, EventName, EventSource } from "../contract/index.js";

type Observer = (...args: never[]) => void;

/** An observer as mitt calls it: an observer of all events gets the name first. */
type Guarded = (...args: unknown[]) => void;

/** Makes an event bus. @param redact removes secrets from texts for people */
export function createEventBus(redact: Redact = (text) => text): EventBus {
  // Under NodeNext, mitt's default export is typed as a module, so it needs a cast.
  const emitter = (mitt as unknown as () => Emitter<Record<string, unknown>>)();
  const reported = new WeakSet<Observer>();
  const guards = new WeakMap<Observer, Map<string, Guarded>>();

  const isHeard = (name: string): boolean =>
    (emitter.all.get(name)?.length ?? 0) > 0 || (emitter.all.get("*")?.length ?? 0) > 0;
  const emit = <N extends EventName>(name: N, event: EngineEvents[N]): void => {
    if (!isHeard(name)) return;
    emitter.emit(name, frozen({ type: name, time: timeOfDay(), ...redacted(event, redact) }));
  };
  const report = (observer: Observer, name: string, error: unknown): void => {
    // Reported once each: an observer of "warning" that throws would otherwise get its own failure forever.
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
      // Without a handler, mitt would remove the handlers of all observers.
      if (guarded) emitter.off(name, guarded);
    },
  };
  return {
    source: Object.freeze(source),
    emit,
    warn: (code, message, fqn) => emit("warning", fqn === undefined ? { code, message } : { code, message, fqn }),
  };
}

/** Wraps an observer: its errors and rejections are passed to `failed`. */
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

/** Members with text to redact. Names, ids, codes and numbers are not redacted, so that observers can look for them. */
const TEXTS = new Set(["message", "reason"]);

const LISTS = new Set(["causes", "frames", "errors"]);

const NAMES = [...TEXTS, ...LISTS];

/** Returns the event with its texts redacted. */
export function redacted<E extends object>(event: E, redact: Redact): E {
  // Checked for every event: most have no texts.
  if (!NAMES.some((name) => name in event)) return event;
  const safe = Object.entries(event).map(([name, value]) => {
    if (TEXTS.has(name)) return [name, redact(String(value))];
    return [name, LISTS.has(name) && Array.isArray(value) ? safeList(value, redact) : value];
  });
  return { ...event, ...Object.fromEntries(safe) };
}

/** Redacts a list of texts, or of failures that contain texts. */
function safeList(list: readonly unknown[], redact: Redact): readonly unknown[] {
  return list.map((one) => (typeof one === "object" && one !== null ? redacted(one, redact) : redact(String(one))));
}

/** Freezes the payload, so that no observer can change it for the others. */
function frozen(payload: object): object {
  for (const name in payload) {
    const member: unknown = payload[name as keyof typeof payload];
    if (typeof member === "object" && member !== null) frozen(member);
  }
  return Object.freeze(payload);
}

// The names of all events. The compiler checks that none is missing.

const names: { readonly [N in EventName]: true } = {
  "run:started": true,
  "run:finished": true,
  "run:failed": true,
  "run:repeated": true,
  "plan:made": true,
  "program:ended": true,
  "scope:created": true,
  "resource:queued": true,
  "resource:started": true,
  "resource:created": true,
  "resource:updated": true,
  "resource:replaced": true,
  "resource:adopted": true,
  "resource:deleted": true,
  "resource:read": true,
  "resource:unchanged": true,
  "resource:retained": true,
  "resource:failed": true,
  "resource:stopped": true,
  "resource:looked": true,
  "resource:drifted": true,
  "resource:retrying": true,
  "resource:log": true,
  "state:waiting": true,
  "state:waited": true,
  "state:locked": true,
  "state:taken-over": true,
  "state:committed": true,
  "state:unlocked": true,
  "process:started": true,
  "process:exited": true,
  "process:log": true,
  "tunnel:opened": true,
  warning: true,
};

/** Checks the name of an event. @param name of an event, or `*`. @throws EngineError `INVALID_DEFINITION` */
function checkEventName(name: unknown): void {
  if (typeof name !== "string") throw new EngineError("INVALID_DEFINITION", "The name of an event must be a string.");
  if (name === "*" || Object.hasOwn(names, name)) return;
  const near = nearest(name, Object.keys(names));
  const hint =
    near === undefined ? 'The guide lists all events; "*" stands for all of them.' : `Did you mean "${near}"?`;
  throw new EngineError("INVALID_DEFINITION", `There is no event "${name}". ${hint}`);
}
