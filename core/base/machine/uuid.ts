import { platform } from "./platform.js";

/** A new random UUID: RFC 9562, version 4, lower case. */
export function uuid(): string {
  return platform().uuid();
}
