/** Converts fragments to views and back, e.g. `#/stages/shop/prod/resource/shop%2Fprod%2Fweb`. Pure. */
import { useEffect, useMemo, useState } from "preact/hooks";

export type StageTab = "resources" | "history" | "drift" | "runs";

export type ResourceTab = "values" | "graph" | "history";

export type RunTab = "progress" | "plan" | "log";

export type Route =
  | { readonly page: "stages" }
  | { readonly page: "runs" }
  | { readonly page: "fleet"; readonly fleet: string }
  | {
      readonly page: "stage";
      readonly app: string;
      readonly stage: string;
      readonly tab: StageTab;
      /** Filter and order of its resources, as a query. */
      readonly filter?: string;
    }
  | {
      readonly page: "difference";
      readonly app: string;
      readonly stage: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly page: "resource";
      readonly app: string;
      readonly stage: string;
      readonly fqn: string;
      readonly tab: ResourceTab;
    }
  | {
      readonly page: "run";
      readonly run: string;
      readonly tab: RunTab | undefined;
      readonly row?: string;
      /** The order of its resources. Default: by time. */
      readonly sort?: "took";
    }
  | { readonly page: "nowhere"; readonly path: string };

export type ResourceRoute = Extract<Route, { page: "resource" }>;

export type RunRoute = Extract<Route, { page: "run" }>;

export type StageRoute = Extract<Route, { page: "stage" }>;

const STAGE_TABS: readonly StageTab[] = ["resources", "history", "drift", "runs"];

const RESOURCE_TABS: readonly ResourceTab[] = ["values", "graph", "history"];

const RUN_TABS: readonly RunTab[] = ["progress", "plan", "log"];

/** The query of a run whose slowest resources come first. */
const SLOWEST = "sort=took";

export function routeOf(fragment: string): Route {
  const [path = "", filter] = fragment.replace(/^#/, "").split("?", 2);
  const route = routeOfPath(path);
  if (route.page === "run" && filter === SLOWEST) return { ...route, sort: "took" };
  return route.page === "stage" && filter ? { ...route, filter } : route;
}

function routeOfPath(path: string): Route {
  const parts = path.split("/").slice(1).map(decoded);
  const [page, ...rest] = parts;
  if (page === undefined || page === "" || (page === "stages" && rest.length === 0)) return { page: "stages" };
  if (page === "runs" && rest.length === 0) return { page: "runs" };
  if (page === "runs") return runRoute(rest);
  if (page === "fleets" && rest.length === 1) return { page: "fleet", fleet: rest[0] ?? "" };
  if (page === "stages" && rest.length >= 2) return stageRoute(path, rest);
  return { page: "nowhere", path };
}

function runRoute([run = "", tab, row]: readonly string[]): Route {
  const known = RUN_TABS.find((one) => one === tab);
  return row === undefined ? { page: "run", run, tab: known } : { page: "run", run, tab: known, row };
}

function stageRoute(path: string, [app = "", stage = "", what = "resources", ...rest]: readonly string[]): Route {
  if (what === "resource" && rest[0] !== undefined) {
    const tab = RESOURCE_TABS.find((one) => one === rest[1]) ?? "values";
    return { page: "resource", app, stage, fqn: rest[0], tab };
  }
  if (what === "difference") {
    const [from, to] = rest.map(Number);
    if (from !== undefined && to !== undefined && Number.isInteger(from) && Number.isInteger(to))
      return { page: "difference", app, stage, from, to };
  }
  const tab = STAGE_TABS.find((one) => one === what);
  return tab ? { page: "stage", app, stage, tab } : { page: "nowhere", path };
}

export function fragmentOf(route: Route): string {
  switch (route.page) {
    case "stages":
    case "runs":
      return `#/${route.page}`;
    case "fleet":
      return joined("fleets", route.fleet);
    case "stage":
      return `${joined("stages", route.app, route.stage, ...(route.tab === "resources" ? [] : [route.tab]))}${route.filter ? `?${route.filter}` : ""}`;
    case "difference":
      return joined("stages", route.app, route.stage, "difference", `${route.from}`, `${route.to}`);
    case "resource": {
      const tab = route.tab === "values" ? [] : [route.tab];
      return joined("stages", route.app, route.stage, "resource", route.fqn, ...tab);
    }
    case "run": {
      const row = route.row === undefined ? [] : [route.row];
      const tab = route.tab === undefined && row.length === 0 ? [] : [route.tab ?? "progress"];
      return `${joined("runs", route.run, ...tab, ...row)}${route.sort ? `?${SLOWEST}` : ""}`;
    }
    case "nowhere":
      return `#${route.path}`;
  }
}

function joined(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not written by this page: keep it as it is.
    return part;
  }
}

/** Returns undefined if the address names no view. The browser reports a new address later than it shows it. */
export function useRoute(): Route | undefined {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setFragment(location.hash);
    addEventListener("hashchange", onChange);
    // It may have changed since the first render.
    onChange();
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => (/^#?\/?$/.test(fragment) ? undefined : routeOf(fragment)), [fragment]);
}

export function go(fragment: string): void {
  location.hash = fragment;
}

/** The last filter of each stage, so that Escape leads back to the same list. */
const filters = new Map<string, string>();

/** Replaces the filter of a stage in the address: Back leads to the page before the stage, not to other filters. */
export function setFilter({ app, stage }: Pick<StageRoute, "app" | "stage">, filter: string): void {
  filters.set(`${app}/${stage}`, filter);
  history.replaceState(null, "", fragmentOf({ page: "stage", app, stage, tab: "resources", filter }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Returns the view above a view; Escape opens it. */
export function above(route: Route): Route {
  switch (route.page) {
    case "run":
      return route.row === undefined ? { page: "runs" } : { page: "run", run: route.run, tab: route.tab };
    case "difference":
      return { page: "stage", app: route.app, stage: route.stage, tab: "history" };
    case "resource": {
      const { app, stage } = route;
      return { page: "stage", app, stage, tab: "resources", filter: filters.get(`${app}/${stage}`) ?? "" };
    }
    default:
      return { page: "stages" };
  }
}
