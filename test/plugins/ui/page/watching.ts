/** What is measured in the page while it is at work. */
import type { Page } from "playwright-core";
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import type { KeptRun } from "../../../../plugins/ui/sources/index.js";

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

/** Something that the thread of a page does as fast as its machine is: 200,000 objects to JSON and back. */
export const STEADY_WORK = `JSON.parse(JSON.stringify(Array.from({ length: 200_000 }, (_, at) => ({ at, name: "item " + at })))).length`;

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

/** How long after they were told the page showed the events of one second: milliseconds, of each. */
export type Second = readonly number[];

/** A quiet second and a full one after it. */
export interface Turn {
  readonly quiet: Second;
  readonly full: Second;
}

/** Events of a second. */
const [QUIET, FULL] = [20, 1_000];

/** After each picture, how many rows it has. */
const WATCH_PICTURES = `
globalThis.seen = [];
(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const text = document.querySelector(".tabs .count")?.textContent ?? "0";
    seen.push([Date.now(), Number(text.replaceAll(",", ""))]);
  };
  (function look() {
    port2.postMessage(0);
    requestAnimationFrame(look);
  })();
})();`;

/**
 * Tells few events in one second and a thousand in the next, one by one, and finds out for each when the page showed it.
 *
 * @param page shows the run, of which nothing but its start is told
 * @param isEnough asked after each turn
 */
export async function watchedRun(
  page: Page,
  run: KeptRun,
  isEnough: (turns: readonly Turn[]) => boolean,
): Promise<readonly Turn[]> {
  await page.evaluate(WATCH_PICTURES);
  const turns: Turn[] = [];
  for (let before = 0; !isEnough(turns); before += QUIET + FULL) {
    const quiet = await watchedSecond(page, run, { before, count: QUIET });
    turns.push({ quiet, full: await watchedSecond(page, run, { before: before + QUIET, count: FULL }) });
  }
  return turns;
}

interface Told {
  /** So many were told in the seconds before. */
  readonly before: number;
  readonly count: number;
}

async function watchedSecond(page: Page, run: KeptRun, { before, count }: Told): Promise<Second> {
  const toldAt: number[] = [];
  const began = Date.now();
  while (toldAt.length < count) {
    // As many as are due: a timer that is late has more to tell.
    const due = Math.min(count, Math.floor(((Date.now() - began) / 1_000) * count));
    while (toldAt.length < due) {
      run.add(begun(before + toldAt.length));
      toldAt.push(Date.now());
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await page.evaluate(
    `new Promise((done) => { (function look() { seen.at(-1)?.[1] === ${before + count} ? done() : setTimeout(look, 5); })(); })`,
  );
  const pictures = await page.evaluate<[number, number][]>("seen.splice(0)");
  let picture = 0;
  return toldAt.map((told, index) => {
    while ((pictures[picture]?.[1] ?? Number.POSITIVE_INFINITY) <= before + index) picture++;
    return (pictures[picture]?.[0] ?? Date.now()) - told;
  });
}

function begun(index: number): UiEvent {
  const ref = { kind: "a:B", id: "x", fqn: `shop/dev/scope-${index % 50}/item-${index}`, action: "create", waited: 0 };
  return { type: "resource:started", time: new Date().toISOString(), ...ref };
}

/** @param part e.g. 0.99 */
export function quantile(lags: readonly number[], part: number): number {
  const sorted = [...lags].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
