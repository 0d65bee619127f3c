/** Generated fleets, as a server would report them; the same each time. */
import type { FleetReport } from "../../../../plugins/fleet/index.js";
import {
  type FleetStage,
  type FleetStages,
  type FleetView,
  STAGE_OUTCOMES,
  type StageOutcome,
} from "../../../../plugins/ui/api/index.js";
import { HOSTILE } from "./recorded.js";
import { NOW } from "./stages.js";

const began = new Date(NOW - 95_000).toISOString();

interface Fleet {
  readonly view: FleetView;
  readonly names: readonly string[];
  readonly outcomes: readonly StageOutcome[];
}

/** A run of many stages: the first wave has ended, a part of the second one, too. */
function large(total: number): Fleet {
  const names = Array.from({ length: total }, (_, index) => `tenant-${String(index).padStart(6, "0")}`);
  const outcomes = names.map((_, index): StageOutcome => {
    if (index % 9 > 5) return "open";
    if (index % 83 === 0) return "failed";
    return index % 3 === 0 ? "unchanged" : "changed";
  });
  const counted = (outcome: StageOutcome): number => outcomes.filter((one) => one === outcome).length;
  const [changed, unchanged, failed] = (["changed", "unchanged", "failed"] as const).map(counted) as [
    number,
    number,
    number,
  ];
  const first = Math.round(total / 20);
  const ended = changed + unchanged + failed;
  const report: FleetReport = {
    fleet: "tenants",
    run: "fleet-run",
    command: "up",
    version: "4f1c09ab72e35d80",
    state: "running",
    began,
    duration: 95_000,
    stages: { total, running: 0, queued: 0, changed, unchanged, failed, skipped: 0, stopped: 0 },
    waves: [
      { to: "5%", total: first, finished: first, changed: first, unchanged: 0, failed: 0, skipped: 0 },
      {
        to: "100%",
        total: total - first,
        finished: ended - first,
        changed: changed - first,
        unchanged,
        failed,
        skipped: 0,
      },
    ],
    resources: { created: changed * 4, updated: changed, unchanged: unchanged * 5 },
    slowest: [
      { stage: "tenant-000415", duration: 8_212 },
      { stage: "tenant-003300", duration: 6_100 },
      { stage: "tenant-000007", duration: 5_420 },
      { stage: "tenant-001190", duration: 4_015 },
      { stage: "tenant-000903", duration: 3_988 },
    ],
    failures: [
      {
        code: "HANDLER_FAILED",
        resource: "database/main",
        message: "the server db-7.internal refuses connections: too many clients already",
        count: failed - 4,
        stages: ["tenant-000000", "tenant-000083", "tenant-000166"],
      },
      {
        code: "TIMEOUT",
        resource: "proxy/route",
        message: "no answer after 30 s",
        count: 3,
        stages: ["tenant-000249"],
      },
      { code: "RUN_FAILED", message: "The plan is not for sale.", count: 1, stages: ["tenant-000332"] },
    ],
    changed: [],
    left: ["tenant-gone-1", "tenant-gone-2"],
  };
  return { view: { report, left: 0, isHeld: true, mark: "7", program: { file: "tenants.run.ts" } }, names, outcomes };
}

function small(): Fleet {
  const names = ["ada", "bob", "eve", "north-west-regional-customer-with-a-long-name", "zoe"];
  const outcomes: readonly StageOutcome[] = ["changed", "failed", "changed", "skipped", "unchanged"];
  const counts = { changed: 2, unchanged: 1, failed: 1, skipped: 1 };
  const report: FleetReport = {
    fleet: "sites",
    run: "small-run",
    command: "up",
    version: "0",
    state: "failed",
    began,
    duration: 4_210,
    stages: { total: 5, running: 0, queued: 0, stopped: 0, ...counts },
    waves: [{ to: "100%", total: 5, finished: 5, ...counts }],
    resources: { created: 2, unchanged: 1 },
    slowest: [{ stage: "ada", duration: 1_210 }],
    failures: [{ code: "HANDLER_FAILED", resource: "plan", message: "EACCES", count: 1, stages: ["bob"] }],
    changed: [],
    left: [],
  };
  return { view: { report, left: 0, isHeld: false, mark: "2" }, names, outcomes };
}

function hostileFleet(): Fleet {
  const names = [HOSTILE, "\u202eevil\u0007", "x".repeat(250), "javascript:alert(1)"];
  const { view } = small();
  const report: FleetReport = {
    ...view.report,
    fleet: HOSTILE,
    state: "waiting",
    reason: `wave 2 of 3: ${HOSTILE}`,
    version: HOSTILE,
    failures: [
      { code: "RUN_FAILED", resource: HOSTILE, message: HOSTILE.repeat(40), count: 9, stages: names.slice(0, 3) },
    ],
    left: names,
    slowest: names.map((stage) => ({ stage, duration: 5 })),
  };
  return {
    view: { ...view, report, program: { failure: { code: "STATE_LOCKED", message: HOSTILE } } },
    names,
    outcomes: names.map(() => "failed"),
  };
}

const fleets: ReadonlyMap<string, Fleet> = new Map([
  ["tenants", large(10_000)],
  ["devices", large(100_000)],
  ["sites", small()],
  [HOSTILE, hostileFleet()],
]);

/** @param name of a stage */
export function fleetAnswer(fleet: string, what: string | undefined, name: string | null): unknown {
  const found = fleets.get(fleet);
  if (what === "stage") return found && name !== null ? stageOf(found, name) : null;
  return found && (what === "stages" ? stagesOf(found) : found.view);
}

function stageOf({ names, outcomes }: Fleet, name: string): FleetStage | null {
  const outcome = outcomes[names.indexOf(name)];
  if (outcome === undefined || outcome === "open" || outcome === "left") return null;
  const failure = { code: "HANDLER_FAILED", resource: "plan", message: "EACCES: permission denied" } as const;
  return { command: "up", outcome, duration: 1_204, ...(outcome === "failed" && failure) };
}

function stagesOf({ view, names, outcomes }: Fleet): FleetStages {
  const digits = outcomes.map((one) => STAGE_OUTCOMES.indexOf(one)).join("");
  return { mark: view.mark, total: names.length, names, outcomes: digits, isLast: true };
}
