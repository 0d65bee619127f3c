/** Where in the program something was declared, for a message that is seldom needed. */

/** A function that the program calls. */
export type Called = (...args: never[]) => unknown;

/** The frames that have made a call, the nearest first. */
export type CallSite = { readonly stack?: unknown };

/** @param depth how many frames are looked at: more than one where the language itself may stand in between, as in `JSON.stringify` */
export function callSiteOf(called: Called, depth = 1): CallSite {
  const site = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = depth;
  try {
    Error.captureStackTrace(site, called);
  } catch {
    // An Error.prepareStackTrace that a module of the program has set may accept an Error only. Bun's own does.
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return site;
}

/** `at file:line:column`, of the nearest frame that has a line. */
export function callSiteText(site: CallSite): string {
  const stack = stackOf(site);
  if (typeof stack !== "string") return "somewhere";
  const frames = stack.split("\n").slice(1);
  return (frames.find((frame) => /:\d+\)?$/.test(frame)) ?? frames.at(0) ?? "").trim();
}

/** Node asks Error.prepareStackTrace only here. */
function stackOf(site: CallSite): unknown {
  try {
    return site.stack;
  } catch {
    return undefined;
  }
}
