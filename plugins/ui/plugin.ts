/** The plugin `ui`: a page of the runs of a program. */
import { callback, checkGiven, flag, isEngineError, messageOf, wholeFrom } from "../../core/base/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { tell } from "../internal/terminal/tell.js";
import { LivePage, type LivePageOptions } from "./live-page.js";

/** Longest time in milliseconds that the end of the process waits for pages. */
const DRAIN_TIMEOUT = 500;

/** Options of {@link ui}. */
export interface UiOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Allows the page to answer questions of the run. Default: the page is read-only. */
  readonly allowChanges?: boolean;
  /**
   * Receives the address, which contains a token: anyone who has it may read the page. Default: prints it on standard
   * error.
   */
  readonly opened?: (url: string) => void;
}

/**
 * Serves a page with the runs of the program, from their first event on, on this machine only. No run waits for it, and
 * it ends with the process. Its errors are warnings.
 *
 * @example
 * ```ts
 * const app = await engine("shop", { plugins: [ui({ opened: (url) => console.error(url) })] });
 * ```
 */
export function ui(options: UiOptions = {}): EnginePlugin {
  checkGiven("ui", options, { port: wholeFrom(0, 65_535), allowChanges: flag, opened: callback });
  return uiWith(options, {});
}

/** @internal @param live further options for tests */
export function uiWith({ opened = printed, ...options }: UiOptions, live: LivePageOptions): EnginePlugin {
  const page = new LivePage({ ...options, ...live });
  let apps = 0;
  let isRepeated = false;
  return definePlugin({
    name: "ui",
    apply({ hooks, events, control, warn }) {
      page.observe({
        hooks,
        events,
        options: () => control.status.options,
        redact: (text) => messageOf(control.status.safe(new Error(text))),
      });
      // The next run is of the same program, and on the same page.
      events.on("run:repeated", () => {
        isRepeated = true;
      });
      events.on("run:started", ({ run }) => {
        isRepeated = false;
        apps++;
        page.server().then(
          (server) => opened(server.url(`/runs/${encodeURIComponent(run)}`)),
          (error: unknown) =>
            warn("UI_FAILED", isEngineError(error) ? error.message : `The page cannot be served: ${messageOf(error)}`),
        );
      });
      hooks.cleanup.tapPromise("ui", async () => {
        apps--;
        if (apps > 0 || isRepeated) return;
        await page.drain(DRAIN_TIMEOUT);
        await page.close();
      });
    },
  });
}

function printed(url: string): void {
  tell(`the page is at ${url}`);
}
