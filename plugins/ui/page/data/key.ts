/** The key of the server for each request: stored for this tab, and passed to other tabs of the same server. */
import type { Opened, UiEvent } from "../../api/index.js";
import { asEvent, emptyView, endOfEvents, type RunView, reduce } from "../../model/index.js";

const NAME = "engine-ui-key";

/** Longest wait for another tab, in milliseconds. */
const TAB_TIMEOUT = 300;

let known: string | undefined;

let channel: BroadcastChannel | undefined;

/** Returns undefined if neither this page nor another tab was opened with the link. */
export async function findKey(): Promise<string | undefined> {
  known = stored() ?? (await askedOfTabs());
  if (known !== undefined) keepKey({ key: known });
  return known;
}

export function keyOfTab(): string | undefined {
  return known;
}

export function keepKey({ key }: Opened): void {
  known = key;
  store((storage) => storage.setItem(NAME, key));
  // A sender on this channel is a page of this server: another port would be another origin.
  channel ??= openChannel();
  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data === "?" && known !== undefined) channel?.postMessage({ key: known });
    };
  }
}

/** The server refuses the key: it was restarted. */
export function forgetKey(): void {
  known = undefined;
  store((storage) => storage.removeItem(NAME));
}

function askedOfTabs(): Promise<string | undefined> {
  channel ??= openChannel();
  const asking = channel;
  if (!asking) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TAB_TIMEOUT);
    asking.onmessage = ({ data }) => {
      if (typeof data?.key !== "string") return;
      clearTimeout(timer);
      resolve(data.key);
    };
    asking.postMessage("?");
  });
}

function openChannel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(NAME);
}

function stored(): string | undefined {
  let found: string | null = null;
  store((storage) => {
    found = storage.getItem(NAME);
  });
  return found ?? undefined;
}

/** If the browser stores nothing, the page works until it is reloaded. */
function store(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage);
  } catch {}
}

// A run embedded in a file: then there is no server.

let view: RunView | undefined;

/** Returns undefined if the page came from a server. */
export function embeddedRun(): RunView | undefined {
  if (view) return view;
  const text = document.getElementById("run")?.textContent;
  if (!text) return undefined;
  const parsed: unknown = JSON.parse(text);
  const events: readonly UiEvent[] = Array.isArray(parsed) ? parsed.flatMap((one) => asEvent(one) ?? []) : [];
  view = endOfEvents(events.reduce(reduce, emptyView()));
  return view;
}
