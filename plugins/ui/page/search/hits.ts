/** What a text finds, best first. Pure. */
import type { Found, RunRow, StageRow } from "../../api/index.js";
import { kept, type RunView, rowKey } from "../../model/index.js";
import type { IconName } from "../parts/icon.js";
import { fragmentOf, type Route } from "../router.js";

export interface Hit {
  readonly id: string;
  readonly what: string;
  readonly icon: IconName;
  readonly name: string;
  readonly more: string;
  readonly href: string;
}

interface Stage {
  readonly app: string;
  readonly stage: string;
}

interface Places {
  readonly text: string;
  readonly stages: readonly StageRow[] | undefined;
  readonly runs: readonly RunRow[] | undefined;
  readonly stage: Stage | undefined;
  readonly found: readonly Found[] | undefined;
  /** Of a file of its own. */
  readonly run: RunView | undefined;
}

const MOST = 60;

/** The stage that a view is about. */
export function stageOf(route: Route, runs: readonly RunRow[] | undefined): Stage | undefined {
  if ("app" in route) return { app: route.app, stage: route.stage };
  return route.page === "run" ? runs?.find(({ run }) => run === route.run) : undefined;
}

export function hitsIn({ text, stages = [], runs = [], stage, found = [], run }: Places): readonly Hit[] {
  const wanted = text.toLowerCase();
  const has = (...texts: readonly string[]): boolean => texts.some((one) => one.toLowerCase().includes(wanted));
  const ofStages = stages.filter((one) => has(`${one.app}/${one.stage}`)).map(stageHit);
  const ofRuns = runs.filter((one) => has(one.run, `${one.app}/${one.stage}`, one.by.user, one.state)).map(runHit);
  const ofStage = wanted === "" || !stage ? [] : found.map((one, index) => foundHit(one, index, stage));
  const ofRun = run && wanted !== "" ? hitsOfRun(run, has) : [];
  return [...ofStages.slice(0, 8), ...ofStage, ...ofRun, ...ofRuns.slice(0, 12)].slice(0, MOST);
}

function stageHit({ app, stage }: StageRow): Hit {
  const href = fragmentOf({ page: "stage", app, stage, tab: "resources" });
  return { id: `stage ${app}/${stage}`, what: "stage", icon: "scope", name: `${app}/${stage}`, more: "", href };
}

function runHit({ run, app, stage, phase, planned, by, state }: RunRow): Hit {
  const name = `${planned ? "plan" : phase} ${app}/${stage}`;
  const href = fragmentOf({ page: "run", run, tab: undefined });
  return { id: `run ${run}`, what: "run", icon: "clock", name, more: `${state}, by ${by.user}@${by.host}`, href };
}

const ICONS: Readonly<Record<Found["what"], IconName>> = {
  resource: "check",
  scope: "scope",
  run: "clock",
  value: "search",
};

function foundHit({ what, fqn, path, excerpt }: Found, index: number, { app, stage }: Stage): Hit {
  const href =
    what === "run"
      ? fragmentOf({ page: "stage", app, stage, tab: "history" })
      : what === "scope"
        ? fragmentOf({ page: "stage", app, stage, tab: "resources" })
        : fragmentOf({ page: "resource", app, stage, fqn, tab: "values" });
  const name = path === undefined ? fqn : `${fqn} ${path}`;
  return { id: `${what} ${index}`, what, icon: ICONS[what], name, more: fqn.endsWith(excerpt) ? "" : excerpt, href };
}

function hitsOfRun(view: RunView, has: (...texts: readonly string[]) => boolean): readonly Hit[] {
  const run = view.head?.run ?? "";
  const hrefOf = (key: string): string => fragmentOf({ page: "run", run, tab: "progress", row: key });
  const hits: Hit[] = [];
  for (const row of view.rows) {
    if (hits.length >= MOST) return hits;
    if (!has(row.fqn, row.kind)) continue;
    const key = rowKey(row);
    hits.push({
      id: key,
      what: "resource",
      icon: "check",
      name: row.fqn,
      more: row.result ?? row.state,
      href: hrefOf(key),
    });
  }
  for (const [index, { fqn, row: at, text }] of kept(view.lines).entries()) {
    if (hits.length >= MOST) break;
    if (!has(text)) continue;
    const row = at === undefined ? undefined : view.rows[at];
    const href = row ? hrefOf(rowKey(row)) : fragmentOf({ page: "run", run, tab: "log" });
    hits.push({ id: `line ${index}`, what: "line", icon: "search", name: text, more: fqn, href });
  }
  return hits;
}
