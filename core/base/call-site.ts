/** Where in the program something was declared, for a message that is seldom needed. */

/** A function that the program calls. */
export type Called = (...args: never[]) => unknown;

/** One frame of the program, the one that has made a call. */
export type CallSite = { readonly stack?: unknown };

export function callSiteOf(called: Called): CallSite {
  const site = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(site, called);
  Error.stackTraceLimit = stackTraceLimit;
  return site;
}

/** `at file:line:column` */
export function callSiteText(site: CallSite): string {
  const { stack } = site;
  return typeof stack === "string" ? (stack.split("\n").at(-1) ?? "").trim() : "somewhere";
}
