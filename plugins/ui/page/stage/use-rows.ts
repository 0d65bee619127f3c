/** The rows of a stage, as they arrive. */
import { useEffect, useState } from "preact/hooks";
import type { Failure } from "../../api/index.js";
import { failureOf } from "../data/ask.js";
import { loadRows, type StageRows } from "../data/stage-rows.js";
import { extendScopes, noScopes, type Scopes } from "./scopes.js";

export interface Loaded {
  readonly rows: StageRows | undefined;
  readonly scopes: Scopes;
  readonly failure: Failure | undefined;
}

interface Kept {
  readonly stage: string;
  readonly rows: StageRows;
  readonly scopes: Scopes;
}

/** Rows of the last shown stage: returning from a resource shows them at once. */
let kept: Kept | undefined;

/** @param seq the newest entry; the rows of another entry are loaded again */
export function useRows(app: string, stage: string, seq: number | undefined): Loaded {
  const name = `${app}/${stage}`;
  const known = kept?.stage === name ? kept : undefined;
  const [loaded, setLoaded] = useState<Loaded>({
    rows: known?.rows,
    scopes: known?.scopes ?? noScopes(),
    failure: undefined,
  });
  useEffect(() => {
    if (seq === undefined || (known?.rows.isComplete && known.rows.seq === seq)) return;
    const leaving = new AbortController();
    let scopes = noScopes();
    let own: StageRows | undefined;
    const onRows = (rows: StageRows): void => {
      if (rows !== own) scopes = noScopes();
      own = rows;
      extendScopes(scopes, rows.paths);
      kept = { stage: name, rows, scopes };
      setLoaded({ rows, scopes, failure: undefined });
    };
    loadRows(app, stage, onRows, leaving.signal).catch((error: unknown) => {
      if (!leaving.signal.aborted) setLoaded((before) => ({ ...before, failure: failureOf(error) }));
    });
    return () => leaving.abort();
  }, [app, stage, seq]);
  return loaded;
}
