/** Sets the milliseconds for which telemetry has already delayed the process; a negative number allows more. */
export function setSpentPatience(milliseconds: number): void {
  const patience: unknown = Reflect.get(globalThis, Symbol.for("scope-engine/telemetry-patience@1"));
  Reflect.set(Object(patience), "milliseconds", milliseconds);
}
