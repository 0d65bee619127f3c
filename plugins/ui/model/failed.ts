/** What went wrong, as an event tells it. */
import type { StageHolder } from "../../../core/base/index.js";
import { isMembers, type Members, membersIn, numberIn, textIn, textsIn } from "./members.js";

export interface Failed {
  readonly fqn: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly causes: readonly string[];
  readonly frames: readonly string[];
  readonly holder: StageHolder | undefined;
}

export function failedIn(members: Members): Failed {
  return {
    fqn: textIn(members, "fqn"),
    code: textIn(members, "code") ?? "",
    message: textIn(members, "message") ?? "",
    causes: newsIn(textIn(members, "message") ?? "", textsIn(members, "causes")),
    frames: textsIn(members, "frames"),
    holder: holderIn(members),
  };
}

/** The nearest cause, where the message ends with what it says, is no news. */
function newsIn(message: string, causes: readonly string[]): readonly string[] {
  const [nearest = "", ...others] = causes;
  const said = nearest.replace(/^Error: /, "");
  return said !== "" && message.endsWith(said) ? others : causes;
}

const PROCESS = ["runs", "stopped", "gone", "unknown"] as const;

/** Undefined where it does not say who. */
export function holderIn(members: Members): StageHolder | undefined {
  const holder = membersIn(members, "holder");
  if (!holder || !isMembers(holder)) return undefined;
  const ci = textIn(holder, "ci");
  return {
    session: textIn(holder, "session") ?? "",
    command: textIn(holder, "command") ?? "",
    user: textIn(holder, "user") ?? "",
    host: textIn(holder, "host") ?? "",
    pid: numberIn(holder, "pid") ?? 0,
    since: textIn(holder, "since") ?? "",
    ...(ci === undefined ? {} : { ci }),
    process: PROCESS.find((one) => one === holder.process) ?? "unknown",
    ttl: numberIn(holder, "ttl") ?? 0,
    version: textIn(holder, "version") ?? "",
  };
}
