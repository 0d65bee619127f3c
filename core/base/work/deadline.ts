import { platform } from "../machine/platform.js";
import { withResolvers } from "./resolvers.js";

/**
 * What the work comes to, if that is within so many milliseconds. What it comes to later is not heard.
 *
 * @throws what the work rejects with; what `late` gives, when the time is up
 */
export async function withDeadline<T>(milliseconds: number, work: Promise<T>, late: () => unknown): Promise<T> {
  const { promise, reject } = withResolvers<never>();
  const cancel = platform().after(milliseconds, () => reject(late()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}
