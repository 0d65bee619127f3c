/** A failure as texts for people: what happened, and what lies behind it. Pure. */
import type { FailureNote } from "../../core/base/index.js";
import { importHint } from "./import-hint.js";

/** They say no more than that something has failed. */
const PLAIN: ReadonlySet<string> = new Set(["HANDLER_FAILED", "RUN_FAILED"]);

/** @returns first what happened, with its code; then a text for each cause that says something new */
export function failureTexts({ code, message, causes }: FailureNote): readonly string[] {
  const reason = reasonIn(message);
  const [nearest = "", ...others] = causes;
  // What only repeats the message in other words stands for it.
  const isSame = nearest === reason || nearest.endsWith(`: ${reason}`);
  const what = isSame ? nearest.replace(/^Error: /, "") : reason;
  // Where a package was looked for in vain is the library's own affair.
  const behind = code === "PACKAGE_MISSING" ? [] : isSame ? others : causes;
  const news = behind.filter((cause) => !message.includes(cause.replace(/^\w+( \[\w+\])?: /, "")));
  const [first = "", ...rest] = what.split("\n");
  return [
    [`${first}${PLAIN.has(code) ? "" : ` [${code}]`}`, ...rest].join("\n"),
    ...news.map((cause) => `because: ${cause}`),
    ...importHint([message, ...causes].join("\n")),
  ];
}

/** Without what stands in front of it: which resource, and what was done. */
function reasonIn(message: string): string {
  return message.replace(/^[a-z]+ of ".*?" failed: /, "");
}
