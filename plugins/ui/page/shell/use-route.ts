/** The route of the address, kept up to date. */
import { useEffect, useState } from "preact/hooks";
import { type Route, routeOf } from "../router.js";

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const onChange = (): void => setRoute(routeOf(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return route;
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
