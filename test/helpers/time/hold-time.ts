/** Sets how many of its milliseconds the process has already been held up for what it tells: below zero it has more of them. */
export function setSpentPatience(milliseconds: number): void {
  const patience: unknown = Reflect.get(globalThis, Symbol.for("scope-engine/telemetry-patience@1"));
  Reflect.set(Object(patience), "milliseconds", milliseconds);
}
