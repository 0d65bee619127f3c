/** A plan that deletes 11 resources among others, and a run that asks before it deletes 300. */
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import { actions, plan } from "./plan.js";
import { NOW } from "./stages.js";

/** Milliseconds before now. */
const BEGAN = 5 * 60 * 60_000;

const at = (ms: number, type: string, members: object = {}): UiEvent => ({
  v: 1,
  type,
  time: new Date(NOW - BEGAN + ms).toISOString(),
  ...members,
});

const NOTHING = Object.fromEntries(
  ["created", "updated", "replaced", "adopted", "read", "unchanged", "deleted", "retained", "left", "failed"].map(
    (name) => [name, 0],
  ),
);
const by = { user: "runner", host: "ci-7", pid: 311 };

function deleted(index: number): object {
  const [, legacy] = [...actions].reverse();
  const path = `services/legacy/worker-${`${index}`.padStart(3, "0")}`;
  return { ...legacy, id: path.split("/").at(-1), fqn: `shop/prod/${path}` };
}

export function cleaningPlan(): readonly UiEvent[] {
  const others = actions.filter(({ action }) => action !== "delete");
  const created = Array.from({ length: 40 }, (_, index) => ({ ...others[0], fqn: `shop/prod/services/new-${index}` }));
  const head = { run: "run-cleaning", app: "shop", stage: "prod", phase: "up", planned: true, by };
  const deletes = Array.from({ length: 11 }, (_, index) => deleted(index));
  return [
    at(0, "run:started", head),
    at(800, "plan:made", { ...plan, actions: [...created, ...others, ...deletes] }),
    at(820, "run:finished", { ...head, ok: true, interrupted: false, duration: 820, summary: NOTHING, errors: [] }),
  ];
}

export function asking300(): readonly UiEvent[] {
  const head = { run: "run-asks-300", app: "shop", stage: "prod", phase: "up", planned: false, by };
  const deletes = Array.from({ length: 300 }, (_, index) => ({
    fqn: `shop/prod/tenants/customer-${`${index}`.padStart(3, "0")}/workers/${index % 7 === 3 ? "a-long-name-of-a-worker-for-" : ""}jobs`,
    kind: "cloud:Service",
    action: index < 289 ? "delete" : "replace",
  }));
  const asked = { question: "q-300", text: "Delete these 300 resources?", deletes, left: 0 };
  return [at(0, "run:started", head), at(900, "ui:asked", asked)];
}
