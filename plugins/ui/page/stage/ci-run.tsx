/** The CI job of a run, and the commit that it had checked out. */
import type { HistoryCopy } from "../../api/index.js";
import { visible } from "../parts/visible.js";

type Run = NonNullable<HistoryCopy["run"]>;

/** Characters of a short commit id. */
const SHORT = 10;

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
