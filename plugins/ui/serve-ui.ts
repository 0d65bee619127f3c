/** A page over a store, or over files with events, for programs. */
import { checkGiven, EngineError, record, text, wholeFrom } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { builtPage, startServer } from "./server/index.js";
import { allRuns, runFiles, stageSource } from "./sources/index.js";

/** Options of {@link serveUi}. */
export interface ServeUiOptions {
  /** Whose stages are shown. It stays open. */
  readonly store?: StateStore;
  /** A file, or a folder of files, with the output of `--json`; what is added is shown as it comes. */
  readonly events?: string;
  /** The page opens at this stage. */
  readonly stage?: { readonly app: string; readonly stage: string };
  /** Default: one that is free. */
  readonly port?: number;
}

/** A page that is served. */
export interface ServedUi extends AsyncDisposable {
  /** With the token: whoever has it may look. */
  readonly url: string;
  readonly port: number;
  /** Ends the server; nothing of it is left. */
  close(): Promise<void>;
}

/**
 * Serves a page over the stages of a store, or runs of files, on this machine alone. It shows, and changes nothing.
 *
 * @throws EngineError `INVALID_OPTION` where there is nothing to show, or the port is taken
 *
 * @example
 * ```ts
 * await using served = await serveUi({ store, events: "runs" });
 * console.log(served.url);
 * ```
 */
export async function serveUi(options: ServeUiOptions): Promise<ServedUi> {
  checkGiven("serveUi", options, { store: record, events: text, stage: record, port: wholeFrom(0, 65_535) });
  const { store, events, stage, port } = options;
  if (!store && events === undefined) {
    throw new EngineError("INVALID_OPTION", "serveUi() needs a store, or files with events: there is nothing to show.");
  }
  const html = await builtPage();
  const runs = allRuns(events === undefined ? [] : [await runFiles(events)]);
  const stages = store && stageSource(store);
  const label = store ? (store.location ?? store.name) : (events ?? "");
  const server = await startServer({ label, stages, runs, stage, redact: (text) => text }, { port, html });
  const close = async (): Promise<void> => {
    runs.close();
    await server.close();
    await stages?.close();
  };
  const to = stage && `/stages/${encodeURIComponent(stage.app)}/${encodeURIComponent(stage.stage)}`;
  return {
    url: server.url(to ?? (store ? "/stages" : "/runs")),
    port: server.port,
    close,
    [Symbol.asyncDispose]: close,
  };
}
