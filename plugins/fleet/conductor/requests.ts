/** Follows the requests to a conductor. */
import { messageOf, sleep } from "../../../core/base/index.js";
import type { Asked, Conducting } from "./conducting.js";

const ASK_EVERY = 1_000;

/** Reads requests once a second. A request from before this process is ignored. */
export async function followRequests(
  { asked, options, seen: before }: Pick<Conducting, "asked" | "options" | "seen">,
  obey: (asked: Asked) => Promise<void>,
  over: AbortSignal,
): Promise<void> {
  let seen = before;
  while (asked && !over.aborted) {
    try {
      const found = await asked();
      if (over.aborted) return;
      if (found && found.id !== seen) await obey(found);
      seen = found?.id ?? seen;
    } catch (error) {
      options.onWarning?.("STORE_FAILED", `Requests to the fleet could not be read: ${messageOf(error)}`);
    }
    await sleep(ASK_EVERY, over);
  }
}
