/** Measurements in the running page. */
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import type { KeptRun } from "../../../../plugins/ui/sources/index.js";
import { until } from "../../../helpers/time/until.js";

/** Measures the working time of the page's thread, in milliseconds; other work of the machine does not count. */
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

/** Working time of the page's thread for a constant task, in milliseconds: 200,000 objects to JSON and back. */
export async function steadyWork(page: Page): Promise<number> {
  const worked = await watchWork(page);
  await page.evaluate(
    `JSON.parse(JSON.stringify(Array.from({ length: 200_000 }, (_, at) => ({ at, name: "item " + at })))).length`,
  );
  return worked();
}

/** Counts frames, and those in which some height of the list has no row. */
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

/** Collects all titles that appeared, however briefly. */
export const WATCH_TITLES = `
globalThis.titles = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      for (const title of node.querySelectorAll?.("h1") ?? []) titles.push(title.textContent);
}).observe(document.body, { childList: true, subtree: true });`;

/** Events in a second. */
const FULL = 1_000;

/**
 * Sends a thousand events in a second, one by one, and waits until the page shows the last one.
 *
 * @param page shows the run, which has only its start and the events of these seconds
 * @param before number of events sent before
 * @returns working time of the page's thread, in milliseconds
 */
export async function watchedSecond(page: Page, run: KeptRun, before: number): Promise<number> {
  const worked = await watchWork(page);
  let told = 0;
  for (const began = performance.now(); told < FULL; await pause(1)) {
    // Sends all events that are due: a late timer sends more.
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
