/** A link from an entry, a lock or a value of the state to its run, if the server has the events of that run. */
import type { ComponentChildren } from "preact";
import type { RunRow } from "../../api/index.js";
import { useAnswer } from "../data/use-answer.js";
import { fragmentOf } from "../router.js";

/** The process that made something, and when its run began. */
interface Maker {
  readonly host: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
}

interface RunLinkProps {
  readonly app: string;
  readonly stage: string;
  readonly by: Maker | undefined;
  /** The resource that the link leads to within the run. */
  readonly fqn?: string;
  /** Shown without a link if the server does not have the run. Default: nothing, and "Show the run" with a link. */
  readonly children?: ComponentChildren;
}

export function RunLink({ app, stage, by, fqn, children }: RunLinkProps) {
  const { data } = useAnswer<readonly RunRow[]>(by ? "runs" : undefined);
  const found = by && data && runOf(data, { app, stage, by });
  if (!found) return <>{children}</>;
  const { run } = found;
  const route = { page: "run", run } as const;
  const href = fragmentOf(
    fqn === undefined ? { ...route, tab: undefined } : { ...route, tab: "progress", row: `+${fqn}` },
  );
  return (
    <a class="run-link" href={href}>
      {children ?? "Show the run"}
    </a>
  );
}

/** The state names the process and the start of a run: its first event is the next one of this process. */
export function runOf(
  rows: readonly RunRow[],
  { app, stage, by }: Required<Pick<RunLinkProps, "app" | "stage">> & { by: Maker },
) {
  const began = Date.parse(by.since);
  return rows
    .filter((row) => row.app === app && row.stage === stage && row.by.host === by.host && row.by.pid === by.pid)
    .filter(({ planned, since }) => !planned && Date.parse(since) >= began)
    .sort((one, other) => (one.since < other.since ? -1 : 1))[0];
}
