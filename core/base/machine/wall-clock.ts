import { platform } from "./platform.js";

/** The time of day, for people: nothing is decided by it. As ISO 8601. */
export function timeOfDay(): string {
  return platform().timeOfDay();
}
