/** Proof that a side did the measured work: the number of calls of its handlers. */
import type { StageWork } from "./rows.js";

export interface Calls {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** The number of handler calls differs from that of the work. */
export class OtherWork extends Error {}

/** The calls of handlers that the work requires; a side with other calls has done something else. */
export function callsOf({ operation, how, n }: StageWork): Calls {
  const none = { create: 0, update: 0, delete: 0 };
  // A parent is not replaced itself: that would replace its children, too.
  const replaced = how === "children" ? n - Math.ceil(n / 10) : n;
  switch (operation) {
    case "create":
      return { ...none, create: n };
    case "update":
      return { ...none, update: n };
    case "unchanged":
      return none;
    case "replace":
      return { create: replaced, update: n, delete: replaced };
    case "destroy":
      return { ...none, delete: n };
  }
}

/** @throws OtherWork */
export function checkCalls(calls: Calls, expected: Calls): void {
  for (const phase of ["create", "update", "delete"] as const) {
    if (calls[phase] !== expected[phase]) throw new OtherWork(`${calls[phase]} of ${expected[phase]} ${phase}s`);
  }
}
