/** The names of all events, for who listens: the compiler sees to it that none is missing. */
import { EngineError, nearest } from "../base/index.js";
import type { EventName } from "../contract/index.js";

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
  "resource:skipped": true,
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

/** @param name of an event, or `*`. @throws EngineError `INVALID_DEFINITION` */
export function checkEventName(name: unknown): void {
  if (typeof name !== "string") throw new EngineError("INVALID_DEFINITION", "The name of an event must be a string.");
  if (name === "*" || Object.hasOwn(names, name)) return;
  const near = nearest(name, Object.keys(names));
  const hint = near === undefined ? 'The guide lists them; "*" is all of them.' : `Did you mean "${near}"?`;
  throw new EngineError("INVALID_DEFINITION", `There is no event "${name}". ${hint}`);
}
