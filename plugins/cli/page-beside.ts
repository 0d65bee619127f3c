/** Serves the page of `--ui` during a run. The run does not wait for it. */
import type { Scope } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";
import { openBrowser, wantsBrowser } from "./open-browser.js";
import { say } from "./output.js";

/** Milliseconds that the end of the process waits for pages that have not received everything. */
const TIMEOUT = 1000;

type Page = import("../ui/live-page.js").LivePage;
let page: Promise<Page> | undefined;

/** The flags of the command. */
type Flags = Readonly<Record<string, unknown>>;

/** Starts the page before an app opens. On a terminal, it stays open after the run until Ctrl-C. */
export async function pageBeside(root: Scope, given: Flags): Promise<void> {
  if (given.ui !== true) return;
  page ??= started(given);
  const app = appOf(root);
  (await page).observe({
    hooks: app.hooks,
    events: app.events.source,
    options: () => app.options,
    redact: app.redact,
  });
}

async function started({ allowChanges, open }: Flags): Promise<Page> {
  const { LivePage } = await import("../ui/live-page.js");
  const live = new LivePage({ allowChanges: allowChanges === true, awaitsAnswers: true });
  const server = await live.server();
  const url = server.url();
  say(`page of this run: ${url}`);
  if (open !== false && wantsBrowser()) await openBrowser(url);
  process.on("beforeExit", () => void ended(live));
  return live;
}

let isEnded = false;

async function ended(live: Page): Promise<void> {
  if (isEnded || live.isBusy) return;
  isEnded = true;
  if (process.stderr.isTTY !== true || process.env.CI) {
    await live.drain(TIMEOUT);
    return live.close();
  }
  say("The run has finished. Press Ctrl-C to close the page.");
  (await live.server()).hold();
  const close = (): void => void live.close();
  process.once("SIGINT", close);
  process.once("SIGTERM", close);
}
