/** Scenarios: the earlier programs, the killed one, and those that may come next. */

import { isLong } from "../helpers/checks/sampling.js";
import type { Order } from "./order.js";

export interface Scenario extends Pick<Order, "settings" | "isSealed" | "failing" | "slow"> {
  readonly title: string;
  /** Programs that ran before, to their end or until they were killed at the first point whose name begins so. */
  readonly before: readonly (string | { readonly program: string; readonly killedAt: string })[];
  readonly killed: string;
  /** The first of them is also run, and killed, after the kill. */
  readonly next: readonly string[];
}

export const scenarios: readonly Scenario[] = [
  { title: "create", before: [], killed: "first", next: ["first", "second", "nothing", "destroyed"] },
  { title: "update", before: ["first"], killed: "second", next: ["second", "first", "nothing"] },
  { title: "replace, new first", before: ["first"], killed: "other", next: ["other", "second", "nothing"] },
  {
    title: "replace, old first",
    before: ["plain"],
    killed: "otherOldFirst",
    next: ["otherOldFirst", "plain", "nothing"],
  },
  {
    title: "replace where there is no update",
    before: ["together"],
    killed: "togetherChanged",
    next: ["togetherChanged", "together", "nothing"],
  },
  { title: "engine.destroy", before: ["first"], killed: "destroying", next: ["first", "nothing", "second"] },
  { title: "the destroy phase", before: ["first"], killed: "destroyed", next: ["destroyed", "first", "nothing"] },
  { title: "prune", before: ["first"], killed: "fewer", next: ["fewer", "first", "nothing"] },
  { title: "deletes at once", before: ["together"], killed: "nothingAtOnce", next: ["nothingAtOnce", "together"] },
  { title: "nested resources", before: [], killed: "nested", next: ["nested", "nestedChanged", "nothing"] },
  {
    title: "nested resources that change",
    before: ["nested"],
    killed: "nestedChanged",
    next: ["nestedChanged", "nestedReplaced", "nothing"],
  },
  {
    title: "nested resources that are replaced",
    before: ["nested"],
    killed: "nestedReplaced",
    next: ["nestedReplaced", "nested", "nothing"],
  },
  {
    title: "a switch from remote to local",
    before: ["remote"],
    killed: "local",
    next: ["local", "remote", "nothing"],
  },
  {
    title: "nested scopes",
    before: ["scopes"],
    killed: "scopesChanged",
    next: ["scopesChanged", "scopes", "destroyed"],
  },
  { title: "scope data", before: [], killed: "data", next: ["data", "destroyed"] },
  { title: "a deferred function", before: [], killed: "deferred", next: ["deferred", "nothing"] },
  {
    title: "all at once",
    before: [],
    killed: "together",
    next: ["together", "togetherChanged", "nothing"],
    slow: ["create token", "create read"],
  },
  { title: "checkpoints in mid-run", before: ["first"], killed: "many", next: ["many", "first"], settings: "rolling" },
  {
    title: "history and journal trimmed",
    before: ["first", "second", "plain"],
    killed: "first",
    next: ["first", "nothing"],
    settings: "trimming",
  },
  {
    title: "no checkpoint at all",
    before: ["first", "fewer"],
    killed: "second",
    next: ["second", "nothing"],
    settings: "growing",
  },
  {
    title: "heartbeats",
    before: [],
    killed: "fewer",
    next: ["fewer", "nothing"],
    settings: "beating",
    slow: ["create token"],
  },
  {
    title: "a takeover",
    before: ["fewer", { program: "second", killedAt: "create read took effect" }],
    killed: "second",
    next: ["second", "first", "nothing"],
  },
  {
    title: "a takeover from one that took over",
    before: [
      { program: "first", killedAt: "create blind took effect" },
      { program: "first", killedAt: "after create journal/" },
    ],
    killed: "first",
    next: ["first", "nothing"],
  },
  { title: "another order", before: ["second"], killed: "backwards", next: ["backwards", "second", "nothing"] },
  {
    title: "adoption of what is there",
    before: ["left", "nothing"],
    killed: "adopting",
    next: ["adopting", "fewer", "nothing"],
  },
  { title: "secrets", before: [], killed: "secrets", next: ["secrets", "destroyed"], settings: "secret" },
  {
    title: "another password",
    before: ["secrets"],
    killed: "rotated",
    next: ["secrets", "destroyed"],
    settings: "secret",
  },
  {
    title: "another key",
    before: ["secrets"],
    killed: "rekeyed",
    next: ["secrets", "destroyed"],
    settings: "secret",
  },
  {
    title: "handlers that fail",
    before: [],
    killed: "together",
    next: ["together", "togetherChanged", "nothing"],
    failing: { "create token": "after", "create blind": "before", "create read": "after" },
  },
  {
    title: "an update and a delete that fail",
    before: ["first"],
    killed: "fewer",
    next: ["fewer", "second", "nothing"],
    failing: { "delete read": "after", "delete plain": "before" },
  },
];

/** The one that every test run includes. */
const SAMPLE = "a takeover";

export const samples: readonly Scenario[] = scenarios.filter(({ title }) => title === SAMPLE);

/**
 * The scenarios that affect the seals of a stage: its first key, another key, and every continuation of an interrupted
 * run.
 */
const SEALED: readonly string[] = [
  "create",
  "update",
  "replace, new first",
  "engine.destroy",
  "the destroy phase",
  "all at once",
  "checkpoints in mid-run",
  "history and journal trimmed",
  SAMPLE,
  "a takeover from one that took over",
  "another password",
  "another key",
];

/** The same with a key. */
export const sealed: readonly Scenario[] = [
  ...scenarios.filter(({ title }) => SEALED.includes(title)),
  {
    title: "a stage that begins anew",
    before: ["first", "destroyed"],
    killed: "second",
    next: ["second", "first", "destroyed"],
  },
].map((scenario) => ({ ...scenario, title: `${scenario.title}, under a key`, isSealed: true }));

export const sealedSamples: readonly Scenario[] = sealed.filter(({ title }) => title.startsWith(`${SAMPLE}, `));

export const others: readonly Scenario[] = scenarios.filter(({ title }) => title !== SAMPLE);

/**
 * All scenarios are tried in files. Each of the others is also tried in one of four kinds of store; in long runs in
 * all.
 */
export const [othersInEntries, othersOnRedis, othersOnS3, othersOnPostgres] = [part(0), part(1), part(2), part(3)];

function part(which: number): readonly Scenario[] {
  return others.filter((_, index) => isLong || index % 4 === which);
}
