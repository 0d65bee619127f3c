/** Generated events of runs, the same each time: one that failed, one in progress, a plan, a drift check. */
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import { asking300, cleaningPlan } from "./deletes.js";
import { actions, plan } from "./plan.js";
import { HOSTILE, recordedIn } from "./recorded.js";
import { holder, NOW } from "./stages.js";

const MINUTE = 60_000;
const by = { user: "runner", host: "ci-7", pid: 311 };

interface Told {
  readonly run: string;
  readonly stage: string;
  readonly app?: string;
  readonly planned?: boolean;
  /** Milliseconds before now. */
  readonly began: number;
}

const none = {
  created: 0,
  updated: 0,
  replaced: 0,
  adopted: 0,
  read: 0,
  unchanged: 0,
  deleted: 0,
  retained: 0,
  left: 0,
};

function told({ run, app = "shop", stage, planned = false, began }: Told) {
  const head = { run, app, stage, phase: "up", planned, by };
  const at = (ms: number, type: string, members: object = {}): UiEvent => ({
    v: 1,
    type,
    time: new Date(NOW - began + ms).toISOString(),
    ...members,
  });
  const resource = (path: string) => {
    const kind = recordedIn("shop", "prod")?.find((one) => one.path === path)?.kind ?? "cloud:Service";
    return { kind, id: path.split("/").at(-1), fqn: `${app}/${stage}/${path}` };
  };
  return { head, at, resource };
}

/** Milliseconds that depend on the name, and are the same each time. */
function someMs(text: string, least: number, most: number): number {
  let hash = 7;
  for (const unit of text) hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) % 1_000_003;
  return least + (hash % (most - least));
}

function failedRun(): readonly UiEvent[] {
  const { head, at, resource } = told({ run: "run-failed", stage: "prod", began: 26 * MINUTE });
  const events = [at(0, "run:started", head), at(5, "scope:created", { fqn: "shop/prod" })];
  const failure = {
    code: "HANDLER_FAILED",
    message: "The certificate could not be renewed: the challenge was not answered.",
    causes: ["AcmeError: DNS problem: NXDOMAIN looking up TXT for _acme-challenge.shop.example"],
    frames: [
      "at waitForChallenge (file:///srv/shop/infra/certificate.ts:61:13)",
      "at Object.update (file:///srv/shop/infra/certificate.ts:24:20)",
      "at main (file:///srv/shop/engine.run.ts:38:9)",
    ],
  };
  (recordedIn("shop", "prod") ?? []).forEach(({ path, status }, index) => {
    const ref = resource(path);
    const begun = 40 + index * 55;
    if (path.startsWith("storage/queue-")) return;
    if (index % 3 !== 0 && status === "ready") {
      events.push(at(begun, "resource:unchanged", ref));
      return;
    }
    const wait = someMs(path, 20, 900);
    const took = someMs(`${path}!`, 180, 4_200);
    events.push(
      at(begun, "resource:queued", { ...ref, action: "update" }),
      at(begun + wait, "resource:started", { ...ref, action: "update", waited: wait }),
      at(begun + wait + 60, "resource:log", { ...ref, message: `calling the API for ${path}` }),
    );
    if (path === "edge/certificate") {
      for (const attempt of [2, 3])
        events.push(
          at(begun + wait + attempt * 900, "resource:retrying", {
            ...ref,
            action: "update",
            attempt,
            attempts: 3,
            delay: 500,
            message: "DNS problem: NXDOMAIN",
          }),
        );
      events.push(at(begun + wait + 5_100, "resource:failed", { ...ref, action: "update", ...failure }));
    } else if (path === "storage/queue") {
      events.push(
        at(begun + wait + 1_500, "resource:retrying", {
          ...ref,
          action: "update",
          attempt: 2,
          attempts: 5,
          delay: 800,
          message: "429 Too Many Requests",
        }),
      );
      events.push(at(begun + wait + 4_000, "resource:updated", { ...ref, duration: 3_200, waited: wait }));
    } else {
      events.push(
        at(begun + wait + took, "resource:updated", { ...ref, duration: took, waited: wait }),
        at(begun + wait + took + 140, "state:committed", { seq: 412, changes: 1 }),
      );
    }
  });
  events.sort((one, other) => (one.time < other.time ? -1 : 1));
  const summary = { ...none, updated: 16, unchanged: 29, failed: 1, stopped: 0, notBegun: 2 };
  const ended = { code: "ABORTED", message: "The program ended with an error.", causes: [], frames: [] };
  const errors = [{ fqn: "shop/prod/edge/certificate", ...failure }, ended];
  events.push(
    at(8_900, "warning", { code: "SLOW_STORE", message: "The store took 1.2 s to answer.", fqns: [] }),
    at(9_400, "run:finished", { ...head, ok: false, interrupted: false, duration: 9_400, summary, errors }),
  );
  return events;
}

/** In progress: it does not end. */
function liveRun(): readonly UiEvent[] {
  const { head, at, resource } = told({ run: "run-live", stage: "prod", began: 14_000 });
  const events = [
    at(0, "state:waiting", { owner: "ada@laptop (process 21492)", since: holder.since, holder }),
    at(900, "state:waited", { owner: "ada@laptop (process 21492)", since: holder.since, holder }),
    at(950, "run:started", head),
  ];
  (recordedIn("shop", "prod") ?? []).slice(0, 40).forEach(({ path }, index) => {
    const ref = resource(path);
    const begun = 1_000 + index * 160;
    events.push(at(begun, "resource:queued", { ...ref, action: "update" }));
    if (index > 30) return;
    events.push(at(begun + 200, "resource:started", { ...ref, action: "update", waited: 200 }));
    const took = someMs(path, 300, 3_800);
    if (index % 9 === 4) return;
    events.push(at(begun + 200 + took, "resource:updated", { ...ref, duration: took, waited: 200 }));
  });
  return events.sort((one, other) => (one.time < other.time ? -1 : 1));
}

/** Has a server that keeps running, a command that failed, and a tunnel; nothing else. */
function processRun(): readonly UiEvent[] {
  const { head, at } = told({ run: "run-processes", stage: "dev", began: 60_000 });
  const [server, check] = ["server", "check"].map((id) => ({ id, fqn: `shop/dev/${id}` }));
  return [
    at(0, "run:started", head),
    at(100, "process:started", { ...server, pid: 4101 }),
    at(200, "process:started", { ...check, pid: 4102 }),
    at(300, "process:log", { ...server, pid: 4101, message: "listening on http://localhost:8080" }),
    at(1_650, "process:log", { ...check, pid: 4102, message: "3 checks failed" }),
    at(1_700, "process:exited", { ...check, pid: 4102, exitCode: 3 }),
    at(1_800, "tunnel:opened", { host: "127.0.0.1", port: 8080, url: "https://shop-dev.tunnel.example/" }),
    at(1_900, "tunnel:opened", { host: "127.0.0.1", port: 1, url: "javascript:alert(1)" }),
  ];
}

function planRun(): readonly UiEvent[] {
  const { head, at } = told({ run: "run-plan", stage: "prod", planned: true, began: 9 * MINUTE });
  const summary = { ...none, failed: 0, stopped: 0, notBegun: 0 };
  return [
    at(0, "run:started", head),
    at(800, "plan:made", { ...plan, actions }),
    at(820, "run:finished", { ...head, ok: true, interrupted: false, duration: 820, summary, errors: [] }),
  ];
}

/** Waits for an answer. */
function askingRun(): readonly UiEvent[] {
  const { head, at } = told({ run: "run-asks", stage: "staging", began: 40_000 });
  return [
    at(0, "run:started", head),
    at(900, "ui:asked", {
      question: "q-1",
      text: "Delete these 2 resources?",
      deletes: [
        { fqn: "shop/staging/storage/queue", kind: "cloud:Queue", action: "delete" },
        { fqn: "shop/staging/storage/queue-old", kind: "cloud:Queue", action: "replace" },
      ],
      left: 0,
    }),
  ];
}

function driftRun(): readonly UiEvent[] {
  const { head, at, resource } = told({ run: "run-drift", stage: "prod", planned: true, began: 3 * 60 * MINUTE });
  const rows = (recordedIn("shop", "prod") ?? []).slice(0, 46);
  const looked = rows.map(({ path }, index) =>
    at(20 + index * 30, "resource:looked", { ...resource(path), total: rows.length }),
  );
  const summary = { ...none, failed: 0, stopped: 0, notBegun: 0 };
  return [
    at(0, "run:started", head),
    ...looked,
    at(1_500, "resource:drifted", {
      ...resource("edge/balancer"),
      gone: false,
      changes: [
        { path: "/output/idleTimeout", old: 60, new: 300 },
        { path: "/output/tags/owner", old: "platform", new: "nobody" },
      ],
      paths: ["/idleTimeout", "/tags/owner"],
    }),
    at(1_510, "resource:drifted", { ...resource("services/web/logs"), gone: true, paths: [] }),
    at(1_600, "run:finished", { ...head, ok: true, interrupted: false, duration: 1_600, summary, errors: [] }),
  ];
}

function hostileRun(): readonly UiEvent[] {
  const { head, at } = told({ run: "run-hostile", app: HOSTILE, stage: "x\u202e", began: 2 * 60 * MINUTE });
  const ref = { kind: HOSTILE, id: HOSTILE, fqn: `${HOSTILE}/x\u202e/${HOSTILE}` };
  const failure = { code: HOSTILE, message: HOSTILE.repeat(2_000), causes: [`\u0000${HOSTILE}`], frames: [HOSTILE] };
  return [
    at(0, "run:started", head),
    at(1, "resource:started", { ...ref, action: "create", waited: 0 }),
    at(2, "resource:log", { ...ref, message: `${HOSTILE}\u001b[31m` }),
    at(3, "warning", { code: HOSTILE, message: HOSTILE }),
    at(4, "resource:failed", { ...ref, action: "create", ...failure }),
    at(5, "run:finished", { ...head, ok: false, interrupted: false, duration: 5, summary: none, errors: [] }),
  ];
}

export const runs: ReadonlyMap<string, readonly UiEvent[]> = new Map([
  ["run-live", liveRun()],
  ["run-asks", askingRun()],
  ["run-plan", planRun()],
  ["run-failed", failedRun()],
  ["run-drift", driftRun()],
  ["run-processes", processRun()],
  ["run-hostile", hostileRun()],
  ["run-asks-300", asking300()],
  ["run-cleaning", cleaningPlan()],
]);
