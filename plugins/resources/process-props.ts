import { EngineError } from "../../core/base/index.js";
import { checkCommand } from "../processes/command-line.js";
import type { ProcessProps } from "./process.js";

/** More is a delay that timers do not know. */
const LONGEST = 2 ** 31 - 1;

/** What the types say, for programs that do not ask them. @throws EngineError `INVALID_PROPS` */
export function checkProcess({ command, args = [], ready, readyTimeout = 1 }: ProcessProps): void {
  if (typeof command !== "string" || !Array.isArray(args)) {
    throw new EngineError("INVALID_PROPS", "A process needs a command, the name of a program, and args as a list.");
  }
  checkCommand([command, ...args], "INVALID_PROPS");
  if (ready !== undefined && !isReady(ready)) {
    const message = "The prop ready must be { line }, a text or a pattern, or { port }, a number from 1 to 65535.";
    throw new EngineError("INVALID_PROPS", message);
  }
  if (Number.isInteger(readyTimeout) && readyTimeout > 0 && readyTimeout <= LONGEST) return;
  throw new EngineError("INVALID_PROPS", `The prop readyTimeout must be a whole number from 1 to ${LONGEST}.`);
}

function isReady(ready: unknown): boolean {
  const { line, port, host = "" }: Readonly<Record<string, unknown>> = Object(ready);
  if (line !== undefined)
    return port === undefined && ((typeof line === "string" && line !== "") || line instanceof RegExp);
  return Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536 && typeof host === "string";
}
