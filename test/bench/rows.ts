/** The rows of the benchmark and their measurements, as data. */
import { type PeerName, peersOf } from "./peers.js";
import { START_TARGETS, TARGETS, type Target } from "./targets.js";

export const OPERATIONS = ["create", "update", "unchanged", "replace", "destroy"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One after the other; all at once; declared in handlers, ten a parent; in child scopes, ten each. */
export const HOWS = ["seq", "par", "children", "scopes"] as const;
export type How = (typeof HOWS)[number];

export type StoreName = "fs" | "memory" | "postgres" | "redis" | "s3";

export interface StageWork {
  readonly kind: "stage";
  readonly operation: Operation;
  readonly how: How;
  readonly n: number;
  readonly store: StoreName;
  /** Milliseconds added to each round trip to the store. */
  readonly delay: number;
  /** Whether each resource has a secret, and the way to open it. */
  readonly secrets: false | "password" | "key";
}

/** One process that applies the same again and again: app.run and finalize, or `reapply` in one generation. */
export interface ResidentWork {
  readonly kind: "resident";
  readonly way: "generations" | "reapply";
  readonly n: number;
  readonly rounds: number;
}

/** Import, and an app on an empty stage, over bare node. */
export interface StartWork {
  readonly kind: "start";
}

export type Work = StageWork | ResidentWork | StartWork;

export interface Row {
  readonly name: string;
  readonly work: Work;
  readonly peers: readonly { readonly name: PeerName; readonly notRun?: string }[];
  readonly targets: readonly Target[];
  /** More runs than these would take hours. */
  readonly most?: number;
}

const HOW_NAMES: Readonly<Record<How, string>> = {
  seq: "one after the other",
  par: "all at once",
  children: "in handlers",
  scopes: "in child scopes",
};
const STORE_NAMES: Readonly<Record<StoreName, string>> = {
  fs: "files",
  memory: "memory",
  postgres: "PostgreSQL",
  redis: "Redis",
  s3: "S3",
};
const RESIDENT_WAYS = { generations: "run and finalized", reapply: "by reapply" };

const count = (n: number): string => n.toLocaleString("en");

const sizes = [100, 1_000, 10_000, 100_000];
const delays = [0, 10, 50];
const remote: readonly StoreName[] = ["redis", "s3", "postgres"];

const plain: StageWork = {
  kind: "stage",
  operation: "create",
  how: "seq",
  n: 1_000,
  store: "fs",
  delay: 0,
  secrets: false,
};

type Several = { readonly [K in "operation" | "how" | "n" | "store" | "delay" | "secrets"]?: readonly StageWork[K][] };

/** Every combination; members that are not named are as in the plain row. */
function block(several: Several): StageWork[] {
  const all: Several = { operation: OPERATIONS, ...several };
  return Object.entries(all).reduce<StageWork[]>(
    (works, [name, values]) => works.flatMap((work) => values.map((value) => ({ ...work, [name]: value }))),
    [plain],
  );
}

const works: readonly Work[] = [
  { kind: "start" },
  ...TARGETS.flatMap(({ several }) => block(several)),
  ...block({ how: HOWS, n: sizes }),
  ...block({ operation: ["create"], n: [1] }),
  ...block({ how: ["seq", "par"], secrets: ["password"], n: [100, 1_000, 10_000] }),
  ...block({ how: ["seq", "par"], secrets: ["key"], n: [100, 1_000] }),
  ...block({ how: HOWS, store: ["memory"], n: sizes }),
  ...block({ how: ["seq", "par"], store: ["memory"], secrets: ["password"], n: [100, 1_000] }),
  // At a distance, one after the other takes as many round trips; more of them would show nothing new.
  ...block({ how: ["par"], store: remote, n: sizes }),
  ...block({ how: ["par"], store: remote, n: [100, 1_000, 10_000], delay: delays }),
  ...block({ how: ["seq"], store: remote, n: [100, 1_000], delay: delays }),
  ...block({ how: ["children", "scopes"], store: remote, n: [100, 1_000], delay: delays }),
  ...block({ how: ["par"], store: remote, secrets: ["password"], n: [100, 1_000], delay: delays }),
  { kind: "resident", way: "generations", n: 100, rounds: 1_000 },
  { kind: "resident", way: "reapply", n: 100, rounds: 1_000 },
];

/** The whole matrix. */
export const ALL_ROWS: readonly Row[] = rowsOf(works);

/** The rows that DESIGN has a target for. */
export const TARGET_ROWS: readonly Row[] = ALL_ROWS.filter(({ targets }) => targets.length > 0);

/** The rows of the figure, and those that the guide names; the large ones are run once. */
export const FIGURE_ROWS: readonly Row[] = rowsOf([
  ...block({ operation: ["create"], how: ["par"] }),
  ...block({ operation: ["update"] }),
  ...block({ operation: ["unchanged"], n: [5_000] }),
  ...block({ operation: ["create"], n: [100], secrets: ["key"] }),
  ...block({ operation: ["create", "unchanged", "destroy"], n: sizes }),
]).map((row) => (row.work.kind === "stage" && row.work.n >= 10_000 ? { ...row, most: 1 } : row));

/** The rows that compare the stores which machines share, for the documentation. */
export const STORE_ROWS: readonly Row[] = rowsOf([
  ...block({ operation: ["create"], how: ["seq", "par"], n: [100], store: remote, delay: delays }),
  ...block({ operation: ["unchanged"], how: ["par"], n: [100], store: remote, delay: delays }),
]);

const REVISED = ["create", "unchanged", "update", "destroy"] as const;

/** The rows that compare two builds. */
export const AGAINST_ROWS: readonly Row[] = rowsOf([
  ...block({ operation: REVISED, n: [1_000, 10_000] }),
  ...block({ operation: REVISED, how: ["par"] }),
  ...block({ operation: ["create"], n: [1] }),
  { kind: "start" },
]);

/** A row of each kind, in about three minutes. */
export const QUICK_ROWS: readonly Row[] = rowsOf([
  { kind: "start" },
  ...block({}),
  ...block({ operation: ["create", "destroy"], how: ["par"] }),
  ...block({ operation: ["create"], how: ["children", "scopes"] }),
  ...block({ operation: ["create", "unchanged"], store: ["memory"], how: ["par"] }),
  ...block({ operation: ["create", "unchanged"], store: remote, how: ["par"], delay: [50] }),
  { kind: "resident", way: "generations", n: 100, rounds: 1_000 },
]);

function rowsOf(all: readonly Work[]): Row[] {
  const rows = all.map((work) => {
    const name = nameOf(work);
    const targets = TARGETS.filter(({ several }) => block(several).some((one) => nameOf(one) === name));
    const own = work.kind === "start" ? START_TARGETS : [];
    return { name, work, peers: peersOf(work), targets: [...own, ...targets.flatMap((one) => one.targets)] };
  });
  return [...new Map(rows.map((row) => [row.name, row])).values()];
}

function nameOf(work: Work): string {
  switch (work.kind) {
    case "start":
      return "import and engine() on an empty stage, over bare node";
    case "resident":
      return `${count(work.rounds)} times ${count(work.n)} unchanged in one process, ${RESIDENT_WAYS[work.way]}`;
    case "stage": {
      const secret = work.secrets ? ` with a secret each under a ${work.secrets}` : "";
      const far = work.store === "memory" ? "" : ` at ${work.delay} ms`;
      const place = work.store === "fs" ? "" : ` on ${STORE_NAMES[work.store]}${far}`;
      return `${work.operation} ${count(work.n)} ${HOW_NAMES[work.how]}${secret}${place}`;
    }
  }
}
