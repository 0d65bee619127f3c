/** The run that a file of its own holds: then there is no server. */
import type { UiEvent } from "../../api/index.js";
import { asEvent, emptyView, endOfEvents, type RunView, reduce } from "../../model/index.js";

let view: RunView | undefined;

/** Undefined where the page came from a server. */
export function embeddedRun(): RunView | undefined {
  if (view) return view;
  const text = document.getElementById("run")?.textContent;
  if (!text) return undefined;
  const parsed: unknown = JSON.parse(text);
  const events: readonly UiEvent[] = Array.isArray(parsed) ? parsed.flatMap((one) => asEvent(one) ?? []) : [];
  view = endOfEvents(events.reduce(reduce, emptyView()));
  return view;
}
