/** Links from an entry, a lock or a value of the state to its run, if the server has its events, and to its CI job. */
import type { ComponentChildren } from "preact";
import type { HistoryCopy, RunRow } from "../../api/index.js";
import { useAnswer } from "../data/use-answer.js";
import { fragmentOf } from "../router.js";
import { visible } from "./visible.js";

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

type Run = Partial<Pick<NonNullable<HistoryCopy["run"]>, "ci" | "commit">>;

/** Characters of a short commit id. */
const SHORT = 10;

/** The CI job of a run, and the commit that it had checked out. */
export function CiRun({ run: { ci, commit } }: { readonly run: Run }) {
  if (ci === undefined && commit === undefined) return null;
  return (
    <span class="ci-run">
      {ci !== undefined && <Outside url={ci} text={`CI job at ${hostOf(ci)}`} />}
      {commit !== undefined && (
        <span class="soft">
          commit{" "}
          <Outside
            url={commitAt(ci, commit)}
            text={visible(commit.slice(0, SHORT))}
            title={visible(commit.slice(0, 64))}
          />
        </span>
      )}
    </span>
  );
}

/** A link only for addresses that a browser opens as a page: the state may be of anyone. */
function Outside({
  url,
  text,
  title,
}: {
  readonly url: string | undefined;
  readonly text: string;
  readonly title?: string;
}) {
  if (url === undefined || !/^https?:\/\//i.test(url)) return <code title={title}>{text}</code>;
  return (
    <a href={url} target="_blank" rel="noreferrer" title={title ?? visible(url.slice(0, 500))}>
      {text}
    </a>
  );
}

function hostOf(url: string): string {
  return visible((URL.canParse(url) && new URL(url).host) || url.slice(0, 100));
}

/** Known only for GitHub and GitLab, whose jobs are below the address of their repository. */
function commitAt(ci: string | undefined, commit: string): string | undefined {
  const found = /^(https?:\/\/.+?)(\/actions\/runs\/|\/-\/jobs\/)\d+/.exec(ci ?? "");
  if (!found) return undefined;
  return `${found[1]}${found[2] === "/-/jobs/" ? "/-" : ""}/commit/${encodeURIComponent(commit)}`;
}
