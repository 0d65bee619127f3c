/** The route of the address, kept up to date. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Route, routeOf } from "../router.js";

/** Undefined where the address names no view. The browser tells of a new address later than it shows it. */
export function useRoute(): Route | undefined {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setFragment(location.hash);
    addEventListener("hashchange", onChange);
    // It may have changed since it was shown first.
    onChange();
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => (/^#?\/?$/.test(fragment) ? undefined : routeOf(fragment)), [fragment]);
}

export function go(fragment: string): void {
  location.hash = fragment;
}

/** The view above one; Escape leads there. */
export function above(route: Route): Route {
  switch (route.page) {
    case "run":
      return route.row === undefined ? { page: "runs" } : { page: "run", run: route.run, tab: route.tab };
    case "difference":
      return { page: "stage", app: route.app, stage: route.stage, tab: "history" };
    case "resource":
      return { page: "stage", app: route.app, stage: route.stage, tab: "resources" };
    default:
      return { page: "stages" };
  }
}
