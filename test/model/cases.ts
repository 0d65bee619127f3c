import { BUILT, type Rules, type Scenario, SMALL } from "./rules.js";

/**
 * Requests that time out and land late or never, and replies that get lost: the additional faults of a network store.
 */
const NETWORK = { growing: "none", late: 1, lostReplies: true } as const;

export interface Case {
  readonly name: string;
  readonly rules?: Partial<Rules>;
  readonly scenario: Scenario;
}

/** Scenarios in which every run sees every state. */
export const COMPLETE: readonly Case[] = [{ name: "files, a reader", scenario: { ...SMALL, readers: 1, ops: 0 } }];

/** Other scenarios, of more states, in the matrix. */
export const LARGE: readonly Case[] = [
  { name: "files, three sessions", scenario: { ...SMALL, sessions: 3, crashes: false } },
  { name: "files opened by name for each line", rules: { handle: "reopened" }, scenario: { ...SMALL, midRun: true } },
  { name: "files, guards cut to stubs", rules: { stubGuards: true }, scenario: { ...SMALL, midRun: true } },
  { name: "files and entries in one ledger", scenario: { ...SMALL, growing: "mixed", sessions: 3, crashes: false } },
  { name: "files, roll-overs and crashes", scenario: { ...SMALL, midRun: true, background: true } },
  { name: "files, writes that fail", scenario: { ...SMALL, writeErrors: true } },
  { name: "entries, a network, mid-run checkpoints", scenario: { ...SMALL, ...NETWORK, midRun: true } },
  { name: "entries, a reader", scenario: { ...SMALL, growing: "none", readers: 1, midRun: true, crashes: false } },
];

/** Scenarios that only a long run completes, or gets far into. */
export const DEEP: readonly Case[] = [
  {
    name: "files, three sessions that crash and roll over",
    scenario: { ...SMALL, sessions: 3, midRun: true, maxSeq: 6 },
  },
  { name: "files, three writers", scenario: { ...SMALL, writers: 3, sessions: 3, ops: 0 } },
  {
    name: "files, three sessions and a reader",
    scenario: { ...SMALL, readers: 1, sessions: 3, ops: 0, crashes: false },
  },
  { name: "files, a reader and roll-overs", scenario: { ...SMALL, readers: 1, midRun: true } },
  {
    name: "files, probing first",
    rules: { bareLoad: "probe-first" },
    scenario: { ...SMALL, readers: 1, sessions: 3, ops: 0, crashes: false },
  },
  { name: "entries, a network, a reader", scenario: { ...SMALL, ...NETWORK, readers: 1, maxSeq: 6 } },
  { name: "entries, a network, three sessions", scenario: { ...SMALL, ...NETWORK, sessions: 3, ops: 0, maxSeq: 8 } },
  { name: "files and entries, roll-overs", scenario: { ...SMALL, growing: "mixed", sessions: 3, midRun: true } },
];

/** Long random histories. */
const LONG: Scenario = {
  ...SMALL,
  writers: 3,
  readers: 1,
  sessions: 12,
  ops: 2,
  maxSeq: 40,
  midRun: true,
  background: true,
  writeErrors: true,
  anyTrimOrder: true,
};
export const RANDOM = {
  files: LONG,
  entries: { ...LONG, growing: "none", late: 3, lostReplies: true },
  mixed: { ...LONG, growing: "mixed", readers: 2 },
  sealed: { ...LONG, sealed: true, rekeys: true },
} as const satisfies Record<string, Scenario>;

/** Choices that the protocol leaves open; it holds with each of them. */
export const SOUND_VARIANTS: readonly (readonly [keyof typeof RANDOM, Partial<Rules>])[] = [
  ["files", { keep: 1 }],
  ["files", { keep: 2, stubGuards: true }],
  ["files", { keep: 1, bareLoad: "probe-first", handle: "reopened" }],
  ["entries", { keep: 1 }],
  ["entries", { keep: 3 }],
  ["mixed", { keep: 1 }],
  ["sealed", { ...BUILT, keep: 2 }],
];

/** The protocol without one of its rules, and the violation that follows. */
export interface Broken {
  readonly rule: string;
  readonly rules: Partial<Rules>;
  readonly fails: RegExp;
  /** Searched systematically if it names a scenario, otherwise at random. */
  readonly scenario?: Partial<Scenario>;
  readonly random?: keyof typeof RANDOM;
}

const LOST = /true before it began/;
const FORKED = /relies on/;
const FAULTY_LOAD = /true before it began|finds a sound ledger corrupt/;
const CORRUPT = /finds a sound ledger corrupt/;
const UNSETTLED = /opens after a close/;
const bare: Partial<Scenario> = { writers: 1, readers: 1, ops: 0, crashes: false };

export const BROKEN: readonly Broken[] = [
  {
    rule: "trimming spares the first entry (files)",
    rules: { guardFirst: false },
    fails: LOST,
    scenario: { readers: 1 },
  },
  {
    rule: "trimming spares takeovers (files)",
    rules: { guardTakeovers: false },
    fails: FORKED,
    scenario: { sessions: 3 },
  },
  { rule: "trimming spares takeovers (entries)", rules: { guardTakeovers: false }, fails: FORKED, random: "entries" },
  { rule: "verify after open (files)", rules: { verifyAfterOpen: false }, fails: FORKED, random: "files" },
  { rule: "verify after open (entries)", rules: { verifyAfterOpen: false }, fails: FORKED, random: "entries" },
  { rule: "verify of loads (files)", rules: { verifyLoad: false }, fails: LOST, scenario: bare },
  {
    rule: "verify of loads (entries)",
    rules: { verifyLoad: false },
    fails: LOST,
    scenario: { ...bare, growing: "none" },
  },
  { rule: "verify of loads that read nothing", rules: { bareLoad: "trusted" }, fails: LOST, scenario: bare },
  {
    rule: "verify, not probe, where writes land late",
    rules: { bareLoad: "probe-first" },
    fails: LOST,
    random: "entries",
  },
  { rule: "verify before open (entries)", rules: { verifyBeforeOpen: false }, fails: CORRUPT, random: "entries" },
  { rule: "verify before open (mixed)", rules: { verifyBeforeOpen: false }, fails: CORRUPT, random: "mixed" },
  { rule: "trimming goes no further than folded (files)", rules: { trimCap: false }, fails: FORKED, random: "files" },
  {
    rule: "trimming goes no further than folded (entries)",
    rules: { trimCap: false },
    fails: FORKED,
    random: "entries",
  },
  { rule: "an append looks at all", rules: { fenceLook: "never" }, fails: FORKED, scenario: {} },
  { rule: "an append looks after it wrote", rules: { fenceLook: "before-write" }, fails: FORKED, scenario: {} },
  {
    rule: "a fenced close is asked about",
    rules: { askAfterClose: false },
    fails: /told that it is fenced/,
    scenario: {},
  },
  {
    rule: "a failed write is looked at before it is repeated",
    rules: { failedWrite: "repeated" },
    fails: FORKED,
    scenario: { writeErrors: true, crashes: false, sessions: 3 },
  },
  { rule: "read the old segment after create", rules: { settleRead: "before-create" }, fails: FORKED, scenario: {} },
  { rule: "rely on a takeover when settled", rules: { relyOnTakeover: "created" }, fails: FORKED, scenario: {} },
  {
    rule: "the settled length counts",
    rules: { settledCounts: false },
    fails: FORKED,
    scenario: { sessions: 3, ops: 0 },
  },
  {
    rule: "an unsettled open is not matched against a checkpoint",
    rules: { looseOpen: false },
    fails: CORRUPT,
    scenario: { sessions: 3, ops: 0, crashes: false },
  },
  {
    rule: "an open records its base's length",
    rules: { namesBase: false, settledFirst: "nothing", keep: 2 },
    fails: UNSETTLED,
    random: "files",
  },
  { rule: "settled beats close", rules: { closeBeatsSettled: true }, fails: FORKED, scenario: { sessions: 3, ops: 0 } },
  {
    rule: "read unsettled segments again",
    rules: { rereadUnsettled: false },
    fails: FAULTY_LOAD,
    scenario: { readers: 1 },
  },
  {
    rule: "look for the next after the read",
    rules: { nextLook: "before-read" },
    fails: FORKED,
    scenario: { readers: 1 },
  },
  {
    rule: "verify a takeover after the second read",
    rules: { settleVerify: "before-reread", sameFile: false },
    fails: FORKED,
    scenario: { writers: 3, sessions: 4, ops: 0, crashes: false, maxSeq: 3 },
  },
];
