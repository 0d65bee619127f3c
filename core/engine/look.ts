/** Looking at a finalized app: `app.run()` has begun a generation that declares nothing. */

import { INTERNALS, type Scope } from "../contract/index.js";
import type { EngineApp } from "./app-parts.js";

/** True where a finalized app was only looked at: nothing is missing without a further `finalize()`. */
export function onlyLooks({ generation, runs }: EngineApp): boolean {
  return generation.isLook && generation.deferred.size === 0 && runs.names.length === 0;
}

/** A program that only looks at what it has made must not lose it. */
export async function warnOfLook({ ledger, events }: EngineApp, scope: Scope): Promise<void> {
  const { length } = ledger.contents.recordsBelow(scope[INTERNALS].path);
  if (length === 0) return;
  events.warn(
    "NOTHING_DECLARED",
    `app.run() has declared no resource since the last finalize() of "${scope.root.chain.join("/")}": nothing was pruned, ${stay(length)}. To delete what is no longer declared, call finalize({ empty: true }).`,
  );
}

/** In words. */
export function stay(count: number): string {
  return count === 1 ? "1 resource stays recorded" : `${count} resources stay recorded`;
}
