/** Leads on to the run that takes the place of one for which another was quicker. */
import { useCallback } from "preact/hooks";
import type { RunRow } from "../../api/index.js";
import type { RunView } from "../../model/index.js";
import { useAnswer } from "../data/use-answer.js";
import { useEvery } from "../data/use-every.js";
import { fragmentOf, type RunRoute } from "../router.js";

/** Milliseconds between two looks whether it has begun. */
const LOOK = 300;

export function Successor({ view, route }: { readonly view: RunView; readonly route: RunRoute }) {
  const { data, reload } = useAnswer<readonly RunRow[]>("runs");
  const found = data && successorOf(view, data);
  const look = useCallback(() => {
    if (!found) reload();
  }, [found, reload]);
  useEvery(LOOK, look);
  // In place of this one: Back leads to where it was before.
  if (found) location.replace(fragmentOf({ page: "run", run: found.run, tab: route.tab }));
  return (
    <p class="soft" role="status">
      Another run was quicker: the program is run again.
    </p>
  );
}

/** Of the same program: the first that has begun since. */
function successorOf({ head, until }: RunView, rows: readonly RunRow[]): RunRow | undefined {
  return rows.findLast(
    ({ run, app, stage, by, since }) =>
      head !== undefined &&
      run !== head.run &&
      app === head.app &&
      stage === head.stage &&
      by.host === head.by.host &&
      by.pid === head.by.pid &&
      Date.parse(since) >= (until ?? 0),
  );
}
