/** The key of the server, which each request has: kept for this tab, and told to other tabs of the same server. */
import type { Opened, UiEvent } from "../../api/index.js";
import { asEvent, emptyView, endOfEvents, type RunView, reduce } from "../../model/index.js";

const NAME = "engine-ui-key";

/** Milliseconds for which another tab may be waited for. */
const PATIENCE = 300;

let known: string | undefined;

let channel: BroadcastChannel | undefined;

/** Undefined where the page was not opened by its link, and no other tab was. */
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
  // Who asks there is a page of this server: of another port it would be another origin.
  channel ??= openChannel();
  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data === "?" && known !== undefined) channel?.postMessage({ key: known });
    };
  }
}

/** The server does not take it: it was started anew. */
export function forgetKey(): void {
  known = undefined;
  store((storage) => storage.removeItem(NAME));
}

function askedOfTabs(): Promise<string | undefined> {
  channel ??= openChannel();
  const asking = channel;
  if (!asking) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), PATIENCE);
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

/** Where the browser keeps nothing, the page works until it is loaded anew. */
function store(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage);
  } catch {}
}

// The run that a file of its own holds: then there is no server.

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
