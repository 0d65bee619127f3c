/** What is measured in the page while it is at work. */
import type { Page } from "playwright-core";
import type { FixtureServer } from "./server.js";

/** The longest time that the page could do nothing else. */
export const WATCH_TASKS = `
globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
}).observe({ type: "longtask" });`;

/** In each picture, whether there is a row at each height of the list. */
export const WATCH_BLANKS = `
globalThis.watched = { frames: 0, blank: 0 };
globalThis.isWatching = true;
(function look() {
  const { left, top, bottom } = document.querySelector(".is-resources").getBoundingClientRect();
  const heights = [0.1, 0.3, 0.5, 0.7, 0.95].map((part) => top + 32 + (bottom - top - 36) * part);
  watched.frames++;
  if (heights.some((y) => !document.elementFromPoint(left + 80, y)?.closest(".row"))) watched.blank++;
  if (isWatching) requestAnimationFrame(look);
})();
globalThis.stopWatching = () => { isWatching = false; return watched; };`;

/** Sends events at 1,000 a second, and finds out for each picture how long the oldest event that it lacks has been sent. */
export async function streamed(
  page: Page,
  server: FixtureServer,
  count: number,
): Promise<{ lags: number[]; heap: number }> {
  const sentAt: number[] = [];
  const batch = 20;
  await page.evaluate(`
    globalThis.seen = [];
    (function look() {
      const text = document.querySelector(".tabs .count")?.textContent ?? "0";
      seen.push([Date.now(), Number(text.replaceAll(",", ""))]);
      if (!globalThis.isSeen) requestAnimationFrame(look);
    })();`);
  const began = Date.now();
  const head = {
    run: "run-streamed",
    app: "shop",
    stage: "dev",
    phase: "up",
    planned: false,
    by: { user: "a", host: "b", pid: 1 },
  };
  server.send([{ v: 1, type: "run:started", time: new Date(began).toISOString(), ...head }]);
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      // As many as are due: a timer that is late has more to send.
      const due = Math.min(count, Date.now() - began);
      while (sentAt.length + batch <= due) {
        const now = Date.now();
        server.send(
          Array.from({ length: batch }, (_, index) => {
            const path = `shop/dev/scope-${sentAt.length % 50}/item-${sentAt.length + index}`;
            const ref = { kind: "a:B", id: "x", fqn: path, action: "create", waited: 0 };
            return { v: 1, type: "resource:started", time: new Date(now).toISOString(), ...ref };
          }),
        );
        for (let index = 0; index < batch; index++) sentAt.push(now);
      }
      if (sentAt.length + batch > count) {
        clearInterval(timer);
        done();
      }
    }, 5);
  });
  const total = sentAt.length.toLocaleString("en");
  await page.getByRole("link", { name: `Progress ${total}` }).waitFor();
  const seen = await page.evaluate<[number, number][]>("globalThis.isSeen = true, seen");
  const lags = seen.flatMap(([at, shown]) => {
    const next = sentAt[shown];
    return next === undefined || at < began ? [] : [Math.max(0, at - next)];
  });
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return { lags, heap: usedSize };
}
