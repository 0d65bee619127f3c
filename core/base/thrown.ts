/** What programs and handlers throw, which may be anything: fit to be read and told. */
import { cut } from "./cut.js";
import { messageOf } from "./errors.js";

/** The causes that are looked at. */
const DEEPEST = 20;

/** What was thrown, or an error in its place where that is nothing, or throws itself when somebody looks at it. */
export function readable(thrown: unknown): unknown {
  if (thrown === undefined || thrown === null) return new Error(`it threw ${thrown}, and no error that says why`);
  if (typeof thrown !== "object" && typeof thrown !== "function") return thrown;
  try {
    look(thrown);
    return thrown;
  } catch (reason) {
    return new Error(`it threw something that cannot be read (${whyOf(reason)})`);
  }
}

function look(thrown: unknown): void {
  for (let at = thrown, depth = 0; at !== undefined && at !== null && depth < DEEPEST; depth++) {
    const { name, message, stack, code, cause } = Object(at);
    for (const text of [name, message, stack, code]) String(text);
    String(at);
    at = at instanceof Error ? cause : undefined;
  }
}

function whyOf(reason: unknown): string {
  try {
    return cut(messageOf(reason));
  } catch {
    return "and neither can the reason";
  }
}
