/** The plugin `ui`: a page beside the runs of a program. */
import { callback, checkGiven, flag, messageOf, wholeFrom } from "../../core/base/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { tell } from "../internal/terminal/tell.js";
import { LivePage, type LivePageOptions } from "./live-page.js";

/** Milliseconds for which the end of the process waits for pages. */
const PATIENCE = 500;

/** Options of {@link ui}. */
export interface UiOptions {
  /** Default: one that is free. */
  readonly port?: number;
  /** Questions of the run can be answered in the page. Default: it only shows. */
  readonly allowChanges?: boolean;
  /** Told the address, which holds a token: whoever has it may look. Default: it is printed on standard error. */
  readonly opened?: (url: string) => void;
}

/**
 * Serves a page with the runs of the program, from their first event on, on this machine alone. No run waits for it, and it ends with the
 * process. What goes wrong with it is a warning.
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

/** @internal @param live what tests give it besides */
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
      // The next run is of the same program, and in the same page.
      events.on("run:repeated", () => {
        isRepeated = true;
      });
      events.on("run:started", () => {
        isRepeated = false;
        apps++;
        page.server().then(
          (server) => opened(server.url("/runs")),
          (error: unknown) => warn("UI_FAILED", `The page cannot be served: ${messageOf(error)}`),
        );
      });
      hooks.cleanup.tapPromise("ui", async () => {
        apps--;
        if (apps > 0 || isRepeated) return;
        await page.drain(PATIENCE);
        await page.close();
      });
    },
  });
}

function printed(url: string): void {
  tell(`look at it: ${url}`);
}
