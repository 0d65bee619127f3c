/** One file that shows a run: the page, with the run's events in it. */
import type { UiEvent } from "../api/index.js";

/** Where the events stand in the page. */
const PLACE = "<!--run-->";

/** @param page the HTML of the page @throws Error where it has no place for events */
export function runFile(page: string, events: readonly UiEvent[]): string {
  if (!page.includes(PLACE)) throw new Error(`The page has no ${PLACE}.`);
  // What ends a script, or begins a comment in it, begins with this.
  const text = JSON.stringify(events).replaceAll("<", "\\u003c");
  return page.replace(PLACE, () => `<script type="application/json" id="run">${text}</script>`);
}
