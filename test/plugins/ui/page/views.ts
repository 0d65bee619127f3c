/** Each view of the page, with its address and an element that exists when it is loaded. */
import type { Page } from "playwright-core";
import { fragmentOf, type Route } from "../../../../plugins/ui/page/router.js";
import { HOSTILE } from "./recorded.js";

export interface View {
  readonly name: string;
  readonly address: string;
  /** Selector of the element that comes last. */
  readonly ready: string;
  readonly text: string;
}

const shop = { app: "shop", stage: "prod" };
const fqn = "shop/prod/services/api/task";
const view = (name: string, route: Route, ready: string, text: string): View => ({
  name,
  address: fragmentOf(route),
  ready,
  text,
});

export const views: readonly View[] = [
  view("stages", { page: "stages" }, ".is-stages .row", "sealed, not verified[\\s\\S]*forged[\\s\\S]*STATE_FORGED"),
  view(
    "fleet",
    { page: "fleet", fleet: "tenants" },
    ".fleet-cell",
    "6,667 of 10,000 stages[\\s\\S]*Wave 2[\\s\\S]*3 causes of failure[\\s\\S]*10,000 stages",
  ),
  view("small fleet", { page: "fleet", fleet: "sites" }, ".fleet-cell", "Retry what failed|engine fleet retry"),
  view(
    "stage of a fleet",
    { page: "stage", app: "sites", stage: "bob", tab: "resources" },
    ".empty",
    "[Ff]ailed in the up of the fleet sites at plan[\\s\\S]*EACCES[\\s\\S]*has no resources",
  ),
  view("fleet without a run", { page: "fleet", fleet: "none" }, ".empty", "has no run yet"),
  view("runs", { page: "runs" }, ".is-runs .row", "its end is not known|running"),
  view("stage", { page: "stage", ...shop, tab: "resources" }, ".is-resources .row", "holds the lock[\\s\\S]*2 failed"),
  view(
    "history",
    { page: "stage", ...shop, tab: "history" },
    ".history-item",
    "github.com[\\s\\S]*9fceb02d0a[\\s\\S]*no seal[\\s\\S]*copy was changed[\\s\\S]*another key",
  ),
  view("drift", { page: "stage", ...shop, tab: "drift" }, ".drift-item", "output.idleTimeout"),
  view(
    "difference",
    { page: "difference", ...shop, from: 408, to: 412 },
    ".action",
    "4 resources differ[\\s\\S]*another key",
  ),
  view("resource", { page: "resource", ...shop, fqn, tab: "values" }, ".values .member", "checkout-v2"),
  view(
    "pending",
    { page: "resource", ...shop, fqn: "shop/prod/edge/certificate", tab: "values" },
    ".banner",
    "its update failed[\\s\\S]*NXDOMAIN",
  ),
  view(
    "under way",
    { page: "resource", ...shop, fqn: "shop/prod/storage/queue-old", tab: "values" },
    ".banner",
    "deleting[\\s\\S]*runner@ci-7 holds the lock[\\s\\S]*Running: its delete",
  ),
  view(
    "interrupted",
    { page: "resource", app: "shop", stage: "staging", fqn: "shop/staging/storage/queue-old", tab: "values" },
    ".banner",
    "interrupted[\\s\\S]*its delete was interrupted",
  ),
  view("graph", { page: "resource", ...shop, fqn, tab: "graph" }, ".node", "A dashed line"),
  view(
    "values",
    { page: "resource", ...shop, fqn, tab: "history" },
    ".story-item",
    "sealed, not verified[\\s\\S]*LOG_LEVEL[\\s\\S]*no seal",
  ),
  view(
    "run",
    { page: "run", run: "run-failed", tab: undefined },
    ".is-waterfall .row",
    "1 failure\\n[\\s\\S]*challenge was not answered",
  ),
  view(
    "row",
    { page: "run", run: "run-failed", tab: "progress", row: "+shop/prod/edge/certificate" },
    ".panel",
    "Retried 2 times",
  ),
  view("live", { page: "run", run: "run-live", tab: "progress" }, ".is-waterfall .row", "· \\d+ queued"),
  view(
    "plan",
    { page: "run", run: "run-plan", tab: "plan" },
    ".action",
    "edge/balancer[\\s\\S]*its delete drains and removes lb-1",
  ),
  view("plan as it is opened", { page: "run", run: "run-plan", tab: undefined }, ".action", "drains and removes lb-1"),
  view("question", { page: "run", run: "run-asks", tab: "progress" }, ".question", "Delete 2 resources"),
  view("approval", { page: "run", run: "run-asks-300", tab: undefined }, ".approval", "Delete 300 resources"),
  view(
    "processes",
    { page: "run", run: "run-processes", tab: "progress" },
    '[aria-label="Processes"]',
    "listening on http[\\s\\S]*shop/dev/check[\\s\\S]*exit code 3[\\s\\S]*process 4102, 1.5 s[\\s\\S]*3 checks failed",
  ),
  view(
    "log of processes",
    { page: "run", run: "run-processes", tab: "log" },
    ".is-log .row",
    "shop/dev/check\\s*3 checks",
  ),
  view("log", { page: "run", run: "run-failed", tab: "log" }, ".is-log .row", "calling the API"),
  view("empty", { page: "stage", app: "shop", stage: "empty", tab: "resources" }, ".empty", "The state is empty"),
  view(
    "missing stage",
    { page: "stage", app: "no", stage: "such", tab: "resources" },
    ".near",
    'There is no stage "no/such"[\\s\\S]*shop/prod\\s*shop/dev',
  ),
  view(
    "missing resource",
    { page: "resource", ...shop, fqn: "shop/prod/edge/balanc", tab: "values" },
    ".near",
    '"edge/balanc" is not in the state of shop/prod[\\s\\S]*edge/balancer[\\s\\S]*former values',
  ),
  view(
    "missing run",
    { page: "run", run: "run-nothing", tab: undefined },
    ".near",
    'no run "run-nothing"[\\s\\S]*up shop/prod, 2026',
  ),
  view("missing fleet", { page: "fleet", fleet: "tenant" }, ".near", 'no fleet "tenant"[\\s\\S]*tenants'),
  view("nowhere", { page: "nowhere", path: "/nowhere" }, ".empty", "There is no page"),
];

export function viewNamed(name: string): View {
  const found = views.find((one) => one.name === name);
  if (!found) throw new Error(`There is no view "${name}".`);
  return found;
}

export const hostile = { app: HOSTILE, stage: "\u202eevil\u0007" };

/** Shows a view without reloading the page. */
export async function show(page: Page, { address, ready }: Pick<View, "address" | "ready">): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator(ready).first().waitFor();
}
