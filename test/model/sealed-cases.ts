import type { Broken, Case } from "./cases.js";
import { BUILT, type Rules, type Scenario, SMALL } from "./rules.js";

/** The rules of core/state. */
const OWN: Partial<Rules> = { ...BUILT, keep: 3 };
/** One client at a time, and a forger without a key who may put back an older store once. */
const FORGED: Partial<Scenario> = { sealed: true, writers: 1, sessions: 3, maxSeq: 4, crashes: false, forgeries: 1 };

/** Scenarios in which every run sees every state. */
export const SEALED: readonly Case[] = [
  { name: "files, sealed", rules: { ...BUILT, keep: 2 }, scenario: { ...SMALL, sealed: true } },
  { name: "files, sealed, a forger", rules: OWN, scenario: { ...SMALL, ...FORGED } },
];

/** Scenarios with so many more states that they are in the matrix. */
export const SEALED_LARGE: readonly Case[] = [
  {
    name: "files, sealed, other keys",
    rules: { ...BUILT, keep: 2 },
    scenario: { ...SMALL, sealed: true, rekeys: true, ops: 2, crashes: false },
  },
  { name: "files, sealed, a forger, crashes", rules: OWN, scenario: { ...SMALL, ...FORGED, crashes: true } },
  {
    name: "files, sealed, a forger, another key",
    rules: OWN,
    scenario: { ...SMALL, ...FORGED, sessions: 2, maxSeq: 5, rekeys: true, ops: 2 },
  },
  {
    name: "files, sealed, a forger who comes twice",
    rules: OWN,
    scenario: { ...SMALL, ...FORGED, sessions: 2, crashes: true, forgeries: 2 },
  },
  {
    name: "files, sealed, two writers and a forger",
    rules: OWN,
    scenario: { ...SMALL, sealed: true, forgeries: 1, maxSeq: 4 },
  },
  {
    name: "files, sealed, a forger, opens that record what they follow",
    rules: { keep: 3 },
    scenario: { ...SMALL, ...FORGED },
  },
  {
    name: "files, sealed, a forger, opens that are settled behind any line",
    rules: { ...OWN, opensNear: false, opensSettle: true },
    scenario: { ...SMALL, ...FORGED, crashes: true },
  },
];

/** Scenarios that only a long run gets far into. */
export const SEALED_DEEP: readonly Case[] = [
  {
    name: "files, sealed, three sessions that crash and roll over, a forger",
    rules: OWN,
    scenario: { ...SMALL, ...FORGED, crashes: true, midRun: true, maxSeq: 6 },
  },
  { name: "files, sealed, four sessions and a forger", rules: OWN, scenario: { ...SMALL, ...FORGED, sessions: 4 } },
  {
    name: "files, sealed, two writers with three sessions, a forger",
    rules: OWN,
    scenario: { ...SMALL, sealed: true, sessions: 3, ops: 1, crashes: false, forgeries: 1 },
  },
];

/** Long random histories in which a forger makes single edits of the store, whatever their effect, and whole stores. */
const LONG: Scenario = {
  ...SMALL,
  ...{ writers: 3, readers: 1, sessions: 6, ops: 2, maxSeq: 14, midRun: true, background: true, writeErrors: true },
  ...{ anyTrimOrder: true, sealed: true, rekeys: true, forgeries: 8 },
};
export const SEALED_RANDOM: readonly Case[] = [
  { name: "files", rules: OWN, scenario: LONG },
  { name: "files, few checkpoints", rules: { ...BUILT, keep: 2 }, scenario: LONG },
  { name: "entries", rules: OWN, scenario: { ...LONG, growing: "none", late: 3, lostReplies: true } },
  { name: "mixed", rules: OWN, scenario: { ...LONG, growing: "mixed" } },
];

const BELIEVED = /which nobody with the key wrote so/;
const REFUSED = /finds a sound ledger forged/;

function broken(rule: string, rules: Partial<Rules>, more: Partial<Scenario> = {}): Broken {
  return { rule, rules: { ...OWN, ...rules }, fails: BELIEVED, scenario: { ...FORGED, ...more } };
}

export const SEALED_BROKEN: readonly Broken[] = [
  broken("a MAC covers the number of its entry", { macSeq: false }, { crashes: true }),
  broken("a MAC covers the number of its line, where a key need not begin an entry", {
    macNumber: false,
    keyBegins: false,
  }),
  broken("a MAC covers the digest of the line before", { macPrev: false }),
  broken("the MAC of a checkpoint covers what it folds", { macFolded: false }),
  broken("lines behind the one that brings a key are checked", { checksLines: false }),
  broken("the line that brings a key is checked", { checksVouching: false }),
  broken("it vouches for what stands before it", { checksVouched: false }),
  broken("the checkpoint that a load begins with is checked", { checksCheckpoints: false }),
  broken("who has a key refuses a state without any MAC", { refusesUnsealed: false }),
  broken("what plugins keep is something recorded", { bareKeepsNothing: false }),
  broken("no changes stand behind a segment that may be cut", { settledFirst: "nothing" }, { writers: 2, sessions: 2 }),
  broken("no close does, either", { settledFirst: "changes" }, { writers: 2, sessions: 2 }),
  broken("a length that a line records is compared with the checkpoint, too", { checksBase: false }, { crashes: true }),
  {
    ...broken("an open follows the segment that it was written behind", { opensNear: false }, { sessions: 4 }),
  },
  {
    rule: "what a checkpoint stands for may be trimmed before it is read",
    rules: { ...BUILT, keep: 2, baseAgain: false },
    fails: REFUSED,
    scenario: { sealed: true },
  },
  {
    rule: "a key begins an entry",
    rules: { keyBegins: false },
    fails: REFUSED,
    scenario: { sealed: true },
  },
];
