/** The line at the top: breadcrumbs, search and settings. */
import type { About, RunRow } from "../../api/index.js";
import { commandOf } from "../../model/index.js";
import { embeddedRun } from "../data/key.js";
import { store, stored } from "../data/stored.js";
import { useAnswer } from "../data/use-answer.js";
import { Icon, Logo } from "../parts/icon.js";
import { useUtc } from "../parts/time.js";
import { visible } from "../parts/visible.js";
import { fragmentOf, type Route } from "../router.js";

interface HeaderProps {
  readonly route: Route;
  readonly about: About | undefined;
  onSearch(): void;
  onHelp(): void;
}

interface Crumb {
  readonly text: string;
  /** The whole text, if it is shortened. */
  readonly title?: string;
  readonly href?: string;
}

export function Header({ route, about, onSearch, onHelp }: HeaderProps) {
  const isRun = route.page === "run" && embeddedRun() === undefined;
  const runs = useAnswer<readonly RunRow[]>(isRun ? "runs" : undefined);
  const crumbs = crumbsOf(route, about, runs.data);
  const [isUtc, setUtc] = useUtc();
  return (
    <header class="top">
      <a class="brand" href={about?.source === "events" ? "#/runs" : "#/stages"} aria-label="scope-engine, first page">
        <Logo />
      </a>
      <nav class="crumbs" aria-label="Breadcrumbs">
        <ol>
          {crumbs.map(({ text, title, href }) => (
            <li key={text} title={title === undefined ? undefined : visible(title)}>
              {href ? <a href={href}>{visible(text)}</a> : <span aria-current="page">{visible(text)}</span>}
            </li>
          ))}
        </ol>
      </nav>
      {about && !about.allowsChanges && (
        <span class="badge" title={readOnlyText(about)}>
          <Icon name="eye" size={14} /> Read-only
        </span>
      )}
      <button type="button" class="search-open" aria-label="Search" aria-keyshortcuts="/ Control+K" onClick={onSearch}>
        <Icon name="search" />
        <span>Search</span>
        <kbd>/</kbd>
      </button>
      <button
        type="button"
        class="quiet utc"
        aria-label="Show times in UTC"
        aria-pressed={isUtc}
        title={isUtc ? "Times are in UTC" : "Times are in the time zone of this browser"}
        onClick={() => setUtc(!isUtc)}
      >
        UTC
      </button>
      <button type="button" class="quiet" aria-label="Keyboard help" aria-keyshortcuts="?" onClick={onHelp}>
        <Icon name="help" size={18} />
      </button>
      <button type="button" class="quiet" aria-label="Switch between light and dark" onClick={toggleTheme}>
        <Icon name="moon" size={18} />
      </button>
    </header>
  );
}

/** Says how a page gets permission, if there is something to permit. */
function readOnlyText({ isBeside, source }: About): string {
  if (isBeside) return "A page can answer the questions of a run that was started with --ui --allow-changes";
  if (source === "store") return "To check for drift and to steer fleets here, restart engine ui with --allow-changes";
  return "This page shows files";
}

function crumbsOf(route: Route, about: About | undefined, runs: readonly RunRow[] = []): readonly Crumb[] {
  // Later crumbs would move the present content.
  if (!about) return [];
  const { label } = about;
  const text = nameOfPlace(label);
  const top: Crumb = { text, ...(text === label ? {} : { title: label }), href: "#/stages" };
  if (route.page === "stages" || route.page === "nowhere")
    return [{ text, ...(text === label ? {} : { title: label }) }];
  if (route.page === "runs") return [top, { text: "Runs" }];
  if (route.page === "run") {
    const run = runs.find((one) => one.run === route.run);
    const name = run && `${commandOf(run)} ${run.app}/${run.stage}`;
    return [top, { text: "Runs", href: "#/runs" }, { text: name ?? "Run", title: route.run }];
  }
  if (route.page === "fleet") return [top, { text: route.fleet }];
  const { app, stage } = route;
  const stageCrumb = { text: `${app}/${stage}`, href: fragmentOf({ page: "stage", app, stage, tab: "resources" }) };
  if (route.page === "stage") return [top, { text: stageCrumb.text }];
  if (route.page === "difference") {
    const history = { text: "History", href: fragmentOf({ page: "stage", app, stage, tab: "history" }) };
    return [top, stageCrumb, history, { text: `${route.from} → ${route.to}` }];
  }
  return [top, stageCrumb, { text: belowStage(route.fqn, app, stage) }];
}

/** Returns the last two parts of a path of this machine; other names stay as they are. */
function nameOfPlace(label: string): string {
  const parts = /^(\/|[a-z]:[\\/])/i.test(label) ? label.split(/[\\/]+/).filter((part) => part !== "") : [];
  return parts.length > 2 ? parts.slice(-2).join("/") : label;
}

/** Returns a name without its stage. */
export function belowStage(fqn: string, app: string, stage: string): string {
  const head = `${app}/${stage}/`;
  return fqn.startsWith(head) ? fqn.slice(head.length) : fqn;
}

const KEY = "scope-engine-theme";

/** Restores the chosen theme; without a choice, the system's theme applies. */
export function restoreTheme(): void {
  const theme = stored(KEY);
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

function toggleTheme(): void {
  const { theme } = document.documentElement.dataset;
  const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  store(KEY, isDark ? "light" : "dark");
}
