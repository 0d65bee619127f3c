/** Call sites in the program, e.g. of a declaration, for messages that are rarely needed. */

/** A function that the program calls. */
export type Called = (...args: never[]) => unknown;

/** Stack frames of a call, the nearest first. */
export type CallSite = { readonly stack?: unknown };

/**
 * Captures the call site of a function. @param depth number of frames to capture: more than one if frames of the
 * language may be in between, as in `JSON.stringify`
 */
export function callSiteOf(called: Called, depth = 1): CallSite {
  const site = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = depth;
  try {
    Error.captureStackTrace(site, called);
  } catch {
    // An Error.prepareStackTrace that the program has set may accept only an Error. Bun's own does.
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return site;
}

/** Returns `at file:line:column` of the nearest frame that has a line. */
export function callSiteText(site: CallSite): string {
  const stack = stackOf(site);
  if (typeof stack !== "string") return "somewhere";
  const frames = stack.split("\n").slice(1);
  return (frames.find((frame) => /:\d+\)?$/.test(frame)) ?? frames.at(0) ?? "").trim();
}

/** Node calls Error.prepareStackTrace only here. */
function stackOf(site: CallSite): unknown {
  try {
    return site.stack;
  } catch {
    return undefined;
  }
}
