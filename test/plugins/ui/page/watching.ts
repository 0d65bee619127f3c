/** What is measured in the page while it is at work. */
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import type { KeptRun } from "../../../../plugins/ui/sources/index.js";
import { until } from "../../../helpers/time/until.js";

/** Tells how many milliseconds the thread of the page has worked since: what else the machine does counts for nothing. */
export async function watchWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    await session.detach();
    const task = metrics.find(({ name }) => name === "TaskDuration");
    if (!task) throw new Error("The browser does not tell how long its tasks took.");
    return task.value * 1_000;
  };
}

/** How long the thread of a page works at what is the same each time: 200,000 objects to JSON and back. Milliseconds. */
export async function steadyWork(page: Page): Promise<number> {
  const worked = await watchWork(page);
  await page.evaluate(
    `JSON.parse(JSON.stringify(Array.from({ length: 200_000 }, (_, at) => ({ at, name: "item " + at })))).length`,
  );
  return worked();
}

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

/** Titles of pages that came in between, however short they were there. */
export const WATCH_TITLES = `
globalThis.titles = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      for (const title of node.querySelectorAll?.("h1") ?? []) titles.push(title.textContent);
}).observe(document.body, { childList: true, subtree: true });`;

/** Events of a second. */
const FULL = 1_000;

/**
 * Tells a thousand events in a second, one by one, and waits until the page shows the last one.
 *
 * @param page shows the run, of which nothing but its start and these seconds is told
 * @param before how many were told before
 * @returns how long the thread of the page worked at it, in milliseconds
 */
export async function watchedSecond(page: Page, run: KeptRun, before: number): Promise<number> {
  const worked = await watchWork(page);
  let told = 0;
  for (const began = performance.now(); told < FULL; await pause(1)) {
    // As many as are due: a timer that is late has more to tell.
    const due = Math.min(FULL, Math.floor(performance.now() - began));
    while (told < due) run.add(begun(before + told++));
  }
  const shown = page.locator(".tabs .count").first();
  await until(
    () => shown.innerText(),
    (text) => Number(text.replaceAll(",", "")) === before + FULL,
  );
  return worked();
}

function begun(index: number): UiEvent {
  const ref = { kind: "a:B", id: "x", fqn: `shop/dev/scope-${index % 50}/item-${index}`, action: "create", waited: 0 };
  return { type: "resource:started", time: new Date().toISOString(), ...ref };
}
