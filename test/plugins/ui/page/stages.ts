/** Generated stages of a store, as a server would report them; the same each time. */
import type {
  HistoryRow,
  ResourceDetail,
  ResourceRows,
  StageChanges,
  StageHead,
  StageRow,
} from "../../../../plugins/ui/api/index.js";

import { HOSTILE, type Recorded, recordedIn } from "./recorded.js";

/** The time at which all of it is viewed. */
export const NOW = Date.UTC(2026, 2, 5, 14, 30, 0);
const before = (ms: number): string => new Date(NOW - ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const nothing = { created: 0, updated: 0, replaced: 0, adopted: 0, read: 0, unchanged: 0, deleted: 0, retained: 0 };
const none = { ...nothing, left: 0, failed: 0, stopped: 0, notBegun: 0 };
const ada = { user: "ada", host: "laptop", pid: 21_492 };
const ci = { user: "runner", host: "ci-7", pid: 311, ci: "https://ci.example/shop/builds/4127" };
const github = {
  user: "runner",
  host: "fv-az",
  pid: 1_702,
  ci: "https://github.com/acme/shop/actions/runs/4127",
  commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
};

export const holder = {
  ...ci,
  session: "s-1",
  command: "up",
  since: before(4 * MINUTE),
  process: "unknown",
  ttl: 30_000,
  version: "0.1.0",
  beats: 12,
} as const;

const ended = (outcome: "done" | "failed" | "left", since: number, counts: object, by: object = ada) => ({
  command: "up",
  ...ada,
  ...by,
  since: before(since),
  outcome,
  summary: { ...none, ...counts },
});

export const stages: readonly StageRow[] = [
  {
    app: "tenants",
    stage: "@fleet",
    isFleet: true,
    seq: 40,
    resources: 0,
    isSealed: false,
    lastRun: ended("done", 95_000, {}),
  },
  {
    app: "shop",
    stage: "dev",
    seq: 88,
    resources: 23,
    isSealed: false,
    lastRun: ended("done", 12 * MINUTE, { created: 2, updated: 1, unchanged: 20 }),
  },
  {
    app: "shop",
    stage: "prod",
    seq: 412,
    resources: 48,
    isSealed: true,
    seal: "verified",
    lastRun: ended("failed", 26 * MINUTE, { updated: 3, failed: 1, notBegun: 2, unchanged: 42 }, ci),
    holder,
  },
  {
    app: "shop",
    stage: "staging",
    seq: 230,
    resources: 46,
    isSealed: true,
    seal: "unverified",
    lastRun: ended("done", 5 * HOUR, { replaced: 1, updated: 4, deleted: 2, unchanged: 39 }, ci),
  },
  {
    app: "warehouse",
    stage: "load",
    seq: 9_001,
    resources: 100_000,
    isSealed: false,
    lastRun: ended("done", 2 * DAY, { created: 100_000 }),
  },
  {
    app: "warehouse",
    stage: "old",
    retired: { store: "s3://acme-state", user: "ada", host: "laptop", since: before(9 * DAY) },
  },
  {
    app: "warehouse",
    stage: "torn",
    problem: { code: "STATE_CORRUPT", message: "Entry 14 of warehouse/torn is damaged." },
  },
  {
    app: "warehouse",
    stage: "forged",
    seal: "forged",
    problem: { code: "STATE_FORGED", message: "The state was changed without its key." },
  },
  { app: "shop", stage: "pr-9", seq: 8, resources: 0, isEmpty: true, lastRun: ended("done", 3 * DAY, { deleted: 4 }) },
  { app: HOSTILE, stage: "\u202eevil\u0007", seq: 3, resources: 4, lastRun: ended("done", HOUR, { created: 4 }) },
];

export function headOf(app: string, stage: string): StageHead | undefined {
  const rows = recordedIn(app, stage);
  if (!rows) return undefined;
  const row = stages.find((one) => one.app === app && one.stage === stage);
  const statuses: Record<string, number> = {};
  const kinds = new Map<string, number>();
  for (const { status, kind } of rows) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return {
    app,
    stage,
    seq: row?.seq ?? 1,
    resources: rows.length,
    statuses,
    failed: rows.filter(({ error }) => error !== undefined).length,
    problems: rows
      .flatMap(({ path, error, notDeleted }) => {
        const message = error ?? notDeleted;
        return message === undefined ? [] : { fqn: `${app}/${stage}/${path}`, message };
      })
      .slice(0, 3),
    kinds: [...kinds].map(([kind, count]) => ({ kind, count })),
    seal: row?.seal ?? "none",
    ...(row?.holder && { holder: row.holder }),
    ...(row?.lastRun && { lastRun: row.lastRun }),
  };
}

export function rowsOf(app: string, stage: string, from: number, limit: number): ResourceRows | undefined {
  const [all, head] = [recordedIn(app, stage), headOf(app, stage)];
  if (!all || !head) return undefined;
  const part = all.slice(from, from + limit);
  const kindNames = [...new Set(part.map(({ kind }) => kind))];
  const statusNames = [...new Set(part.map(({ status }) => status))];
  const indicesOf = (has: (row: Recorded) => boolean): number[] =>
    part.flatMap((row, index) => (has(row) ? [index] : []));
  return {
    seq: head.seq,
    total: all.length,
    from,
    paths: part.map(({ path }) => path),
    kinds: part.map(({ kind }) => kindNames.indexOf(kind)),
    kindNames,
    statuses: part.map(({ status }) => statusNames.indexOf(status)),
    statusNames,
    replaced: indicesOf(({ isReplaced }) => isReplaced === true),
    protected: indicesOf(({ isProtected }) => isProtected === true),
    failed: indicesOf(({ error }) => error !== undefined),
    notDeleted: indicesOf(({ notDeleted }) => notDeleted !== undefined),
    errors: [...part.flatMap(({ error }) => error ?? []), ...part.flatMap(({ notDeleted }) => notDeleted ?? [])],
  };
}

/** The last copy changed what failed, the others each some of the rest. */
export function changesOf(app: string, stage: string): StageChanges | undefined {
  const [all, head] = [recordedIn(app, stage), headOf(app, stage)];
  if (!all || !head) return undefined;
  const copies = stage === "prod" ? history.map(({ seq, run }) => ({ seq, ...(run && { run }) })) : [];
  const last = all.map(({ error, isReplaced }, index) =>
    isReplaced ? -1 : error === undefined ? (index % 3) - 1 : copies.length - 1,
  );
  return { seq: head.seq, copies, last: copies.length === 0 ? all.map(() => -1) : last };
}

export function detailOf(app: string, stage: string, fqn: string): ResourceDetail | undefined {
  const all = recordedIn(app, stage) ?? [];
  const head = `${app}/${stage}/`;
  const row = all.find(({ path }) => head + path === fqn);
  if (!row) return undefined;
  const isHuge = row.path === "javascript:alert(1)";
  const name = row.path.split("/").at(-1) ?? "";
  return {
    fqn,
    kind: row.kind,
    status: row.status,
    ...(row.status === "ready" ? {} : { since: before(26 * MINUTE) }),
    ...(row.error === undefined ? {} : { error: row.error }),
    ...(row.notDeleted && { deleteFailed: { message: row.notDeleted, time: before(26 * MINUTE), attempts: 2 } }),
    protect: row.isProtected === true,
    retain: false,
    replaced: row.isReplaced === true,
    uid: "01c9f2a7d4",
    physicalName: `${app}-${stage}-${name.slice(0, 40)}-9f2a7d`,
    attempt: row.status === "ready" ? 0 : 3,
    children: [],
    dependsOn: (row.needs ?? []).map((path) => head + path),
    dependents: all.filter(({ needs }) => needs?.includes(row.path)).map(({ path }) => head + path),
    props: isHuge ? { text: "x".repeat(10_000_000), [HOSTILE]: HOSTILE } : propsOf(row, app, stage),
    output: isHuge
      ? { list: Array.from({ length: 5_000 }, (_, index) => `item ${index}\u202e`) }
      : {
          id: `${name.slice(0, 40)}-9f2a7d`,
          arn: `arn:cloud:eu-1:${row.kind}/${name.slice(0, 40)}`,
          createdAt: before(41 * DAY),
          url: "https://api.shop.example",
        },
    data: {},
  };
}

function propsOf({ path }: Recorded, app: string, stage: string): object {
  return {
    size: "large",
    replicas: 3,
    environment: { LOG_LEVEL: "info", DATABASE_URL: "(secret)", REGION: "eu-1", FEATURE_FLAGS: "search,checkout-v2" },
    health: { path: "/healthz", interval: 10, healthy: 2 },
    tags: { app, stage, owner: "platform", path: path.slice(0, 60) },
    script: "#!/bin/sh\nset -eu\nexec node server.js --port 8080\n",
  };
}

const SEALS: Readonly<Record<number, HistoryRow["seal"]>> = { 403: "other-key", 405: "forged", 408: "none" };

export const history: readonly HistoryRow[] = [
  [403, "done", 6 * DAY, { updated: 2, unchanged: 44 }, 48_200],
  [405, "done", 4 * DAY, { created: 3, unchanged: 43 }, 95_400],
  [408, "failed", 2 * DAY, { updated: 1, failed: 2, unchanged: 44 }, 31_700],
  [410, "done", 1 * DAY, { replaced: 1, deleted: 1, updated: 2, unchanged: 43 }, 141_000],
  [412, "failed", 26 * MINUTE, { updated: 3, failed: 1, notBegun: 2, unchanged: 42 }, 63_000],
].map(([seq, outcome, since, counts, duration]) => ({
  seq: Number(seq),
  run: ended(outcome === "done" ? "done" : "failed", Number(since), Object(counts), seq === 410 ? github : ci),
  resources: 46,
  problem: SEALS[Number(seq)] === "forged" ? "forged: this copy was changed without the key of the stage" : undefined,
  seal: SEALS[Number(seq)] ?? "verified",
  duration: Number(duration),
  restore: `engine state restore ${seq} --app shop --stage prod`,
}));

export function difference(from: number, to: number): unknown {
  return {
    from,
    to,
    seal: "other-key",
    left: 0,
    resources: [
      {
        fqn: "shop/prod/services/api/task",
        kind: "cloud:Service",
        what: "changed",
        changes: [
          { path: "/props/replicas", old: 2, new: 3 },
          { path: "/output/updatedAt", old: before(9e8), new: before(9e7) },
        ],
      },
      {
        fqn: "shop/prod/storage/queue",
        kind: "cloud:Queue",
        what: "replaced",
        changes: [{ path: "/props/fifo", old: false, new: true }],
      },
      {
        fqn: "shop/prod/services/search/logs",
        kind: "cloud:LogGroup",
        what: "made",
        changes: [{ path: "/props/retention", new: 30 }],
      },
      {
        fqn: "shop/prod/services/legacy/task",
        kind: "cloud:Service",
        what: "gone",
        changes: [{ path: "/props/replicas", old: 1 }],
      },
    ],
  };
}
