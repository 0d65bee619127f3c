/** What has drifted, as lines for people. Pure. */

import { shownPointer } from "../../core/base/index.js";
import type { PlanError, PropertyChange } from "../../core/contract/index.js";
import type { Drift, DriftedResource } from "../plan/drift.js";

const INDENT = " ".repeat(9);

export function driftLines({ app, stage, resources, same, unread, errors }: Drift): readonly string[] {
  const gone = resources.filter((one) => one.gone).length;
  const counts = [
    [resources.length - gone, "drifted"],
    [gone, "gone"],
    [same, "as recorded"],
    [unread.length, "not looked at"],
    [errors.length, "failed"],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [
    ...resources.flatMap(resourceLines),
    ...unreadLines(unread),
    ...errors.flatMap(errorLines),
    `drift of ${app}/${stage}: ${said.join(", ") || "nothing is recorded"}`,
  ];
}

/** What nobody can look at is so for its type: one line for all that share the reason. */
function unreadLines(unread: Drift["unread"]): readonly string[] {
  const namesBy = new Map<string, string[]>();
  for (const { fqn, kind, reason } of unread) {
    const why = `(${kind}: ${reason})`;
    const known = namesBy.get(why);
    if (known) known.push(fqn);
    else namesBy.set(why, [fqn]);
  }
  return [...namesBy].map(([why, names]) => {
    return `unread   ${names.length === 1 ? names[0] : `${names.length} resources`}  ${why}`;
  });
}

function resourceLines({ fqn, kind, gone, changes }: DriftedResource): string[] {
  return [
    `${(gone ? "gone" : "drifted").padEnd(8)} ${fqn}  (${kind})`,
    ...changes.map((change) => `${INDENT}${shownPointer(change.path)}: ${values(change)}`),
  ];
}

function values({ old, new: now }: PropertyChange): string {
  return `${text(old)} → ${text(now)}`;
}

function text(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function errorLines({ code, message, fqn }: PlanError): string[] {
  const [first = "", ...rest] = message.split(/\r?\n/);
  return [`FAILED   ${fqn ?? ""}  ${first} [${code}]`, ...rest.map((line) => `${INDENT}${line}`)];
}
