import { afterEach, beforeEach, vi } from "vitest";

/**
 * Called in a block of tests: the timers of this process advance in small steps while it runs, and stand still while
 * the machine does not run it. So no answer is late because a machine was busy.
 */
export function ownTime(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());
}
