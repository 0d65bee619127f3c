/** Serves a page of a store, or of files with events, for programs. */
import { checkGiven, EngineError, record, text, wholeFrom } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { builtPage, startServer } from "./server/index.js";
import { allRuns, fleetSource, runFiles, stageSource } from "./sources/index.js";

/** Options of {@link serveUi}. */
export interface ServeUiOptions {
  /** The store whose stages are shown. It stays open. */
  readonly store?: StateStore;
  /** A file, or a folder of files, with the output of `--json`; new lines are shown as they arrive. */
  readonly events?: string;
  /** The page opens at this stage. */
  readonly stage?: { readonly app: string; readonly stage: string };
  /** Default: a free port. */
  readonly port?: number;
}

/** A served page. */
export interface ServedUi extends AsyncDisposable {
  /** Contains the token: anyone who has it may read the page. */
  readonly url: string;
  readonly port: number;
  /** Ends the server and closes its connections. */
  close(): Promise<void>;
}

/**
 * Serves a page of the stages of a store, or of runs in files, on this machine only. The page is read-only.
 *
 * @throws EngineError `INVALID_OPTION` if there is nothing to show, or the port is in use
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
    throw new EngineError(
      "INVALID_OPTION",
      "serveUi() needs a store or files with events: pass { store } or { events }.",
    );
  }
  const html = await builtPage();
  const runs = allRuns(events === undefined ? [] : [await runFiles(events)]);
  const stages = store && stageSource(store);
  const fleets = store && fleetSource(store);
  const label = store ? (store.location ?? store.name) : (events ?? "");
  const server = await startServer({ label, stages, fleets, runs, stage, redact: (text) => text }, { port, html });
  const close = async (): Promise<void> => {
    runs.close();
    await server.close();
    await stages?.close();
    await fleets?.close();
  };
  const to = stage && `/stages/${encodeURIComponent(stage.app)}/${encodeURIComponent(stage.stage)}`;
  return {
    url: server.url(to ?? (store ? "/stages" : "/runs")),
    port: server.port,
    close,
    [Symbol.asyncDispose]: close,
  };
}
