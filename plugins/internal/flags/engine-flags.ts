/** The flags that say something to the engine, whichever way it is started. */
import { CHANGING, RUNS, STAGE, STATE, without } from "./commands.js";
import type { Flag } from "./flag.js";
import { deletes, milliseconds, moment, storeUrl, wholeNumber } from "./flag.js";

const ALL = [...RUNS, ...STAGE] as const;
const PRUNING = without(RUNS, "destroy", "read");

export const ENGINE_FLAGS = [
  {
    name: "--plan",
    says: { on: (plan) => ({ plan }), text: (planFile) => ({ planFile }) },
    offers: [
      { to: ["up"], value: "<file>", help: "do what a saved plan says, and nothing else" },
      { to: ["destroy"], value: "<file>", help: "delete what a saved plan of a destroy says, and nothing else" },
    ],
    impliedBy: ["plan"],
  },
  {
    name: "--out",
    short: "-o",
    value: "<file>",
    says: { example: "plan.json", text: (planOut) => ({ planOut }) },
    offers: [
      { to: ["plan"], help: "save the plan, for engine up --plan <file>" },
      { to: ["graph"], help: "write a file instead of printing", isOwn: true },
      { to: ["ui"], help: "write the newest run of a file with events as one page, and end", isOwn: true },
      { to: ["state pull"], help: "write it to a file that only you can read", isOwn: true },
      { to: ["add"], help: "file of the module (default: providers/TYPE.ts beside the program)", isOwn: true },
    ],
  },
  {
    name: "--destroy",
    says: { on: (destroy) => ({ destroy }) },
    offers: [{ to: ["plan"], help: "plan a destroy" }],
    impliedBy: ["destroy"],
  },
  { name: "--read", says: { on: (read) => ({ read }) }, offers: [], impliedBy: ["read"] },
  { name: "--dev", says: { on: (on) => ({ local: on, watch: on }) }, offers: [] },
  {
    name: "--stage",
    short: "-s",
    value: "<name>",
    says: { example: "prod", text: (stage) => ({ stage }) },
    offers: [{ to: ALL, help: "stage to work on (default: ENGINE_STAGE, STAGE, your user name)" }],
  },
  {
    name: "--state",
    value: "<url>",
    says: { example: "s3://bucket/prefix", text: (text, flag) => ({ stateStore: storeUrl(text, flag) }) },
    offers: [
      { to: ALL, help: "state store: s3://, redis://, rediss:// or a folder (default: the program's, ENGINE_STATE)" },
    ],
  },
  {
    name: "--root-dir",
    value: "<folder>",
    says: { example: "./infra", text: (rootDir) => ({ rootDir }) },
    offers: [{ to: ALL, help: "root folder of the project (default: the current folder)" }],
  },
  {
    name: "--profile",
    value: "<name>",
    says: { example: "work", text: (profile) => ({ profile }) },
    offers: [{ to: ALL, help: "profile that resources and stores authorize their requests with" }],
  },
  // Of these three the last one counts.
  {
    name: "--password-file",
    value: "<file>",
    says: { example: "./password", text: (text, flag) => ({ opener: { from: "passwordFile", text, flag } }) },
    offers: [{ to: ALL, help: "file whose first line opens the secrets (default: ENGINE_PASSWORD)" }],
  },
  {
    name: "--key-file",
    value: "<file>",
    says: { example: "./key", text: (text, flag) => ({ opener: { from: "keyFile", text, flag } }) },
    offers: [{ to: ALL, help: "file with a key that opens the secrets (default: ENGINE_KEY)" }],
  },
  {
    name: "--key-command",
    value: "<line>",
    says: {
      example: "'op read op://vault/key'",
      text: (text, flag) => ({ opener: { from: "keyCommand", text, flag } }),
    },
    offers: [{ to: ALL, help: "command that prints that key (default: ENGINE_KEY_COMMAND)" }],
  },
  {
    name: "--strict-state",
    says: { on: (strictState) => ({ strictState }) },
    offers: [{ to: ALL, help: "fail where a sealed state is older than what this machine has seen of it" }],
  },
  {
    name: "--verbose",
    says: { on: (verbose) => ({ verbose }) },
    offers: [{ to: ALL, help: "print the stacks of what fails" }],
  },
  {
    name: "--target",
    value: "<glob>",
    repeats: true,
    says: { example: "'**/web'", text: (glob) => ({ target: [glob] }) },
    offers: [{ to: without(RUNS, "read"), help: "act only on resources whose FQN matches, and what they need" }],
  },
  {
    name: "--exclude",
    value: "<glob>",
    repeats: true,
    says: { example: "'**/web'", text: (glob) => ({ exclude: [glob] }) },
    offers: [{ to: without(RUNS, "read"), help: "leave alone resources whose FQN matches" }],
  },
  {
    name: "--target-dependents",
    says: { on: (targetDependents) => ({ targetDependents }) },
    offers: [{ to: without(RUNS, "read"), help: "act on what refers to a targeted resource, too" }],
  },
  {
    name: "--exclude-dependents",
    says: { on: (excludeDependents) => ({ excludeDependents }) },
    offers: [{ to: without(RUNS, "read"), help: "leave alone what refers to an excluded resource, too" }],
  },
  {
    name: "--refresh",
    says: { on: (refresh) => ({ refresh }) },
    offers: [{ to: PRUNING, help: "look at every recorded resource before comparing" }],
  },
  {
    name: "--adopt",
    says: { on: (adopt) => ({ adopt }) },
    offers: [{ to: PRUNING, help: "take over what exists already and is not recorded" }],
  },
  {
    name: "--force",
    short: "-f",
    says: { on: (force) => ({ force }) },
    offers: [
      { to: without(RUNS, "read"), help: "update resources even if nothing changed" },
      { to: ["state unlock"], help: "also of a process that runs on this machine", isOwn: true },
      { to: ["state move"], help: "also what is pending", isOwn: true },
      { to: ["state forget"], help: "also protected ones", isOwn: true },
      { to: ["state push"], help: "also one that is older than the state", isOwn: true },
    ],
  },
  {
    name: "--local",
    says: { on: (local) => ({ local }) },
    offers: [{ to: without(RUNS, "dev"), help: "simulate resources locally where they can be" }],
    impliedBy: ["dev"],
  },
  { name: "--watch", says: { on: (watch) => ({ watch }) }, offers: [], impliedBy: ["dev", "watch"] },
  {
    name: "--tunnel",
    says: { on: (tunnel) => ({ tunnel }) },
    offers: [{ to: RUNS, help: "give resources that support it a tunnel" }],
  },
  {
    name: "--concurrency",
    value: "<n>",
    says: { example: "8", text: (text, flag) => ({ concurrency: wholeNumber(text, flag) }) },
    offers: [{ to: [...RUNS, "drift"], help: "how many handlers run at once (default: 64)" }],
  },
  {
    name: "--lock-timeout",
    value: "<time>",
    says: { example: "30s", text: (text, flag) => ({ lockTimeout: milliseconds(text, flag) }) },
    offers: [
      { to: [...CHANGING, ...STATE, "secrets rotate"], help: "how long to wait for another run, e.g. 5m (default: 0)" },
    ],
  },
  {
    name: "--lock",
    value: "<lazy|eager>",
    says: { example: "eager", text: (text, flag) => ({ lock: moment(text, flag) }) },
    offers: [{ to: CHANGING, help: "take the turn with the first change, or before the program runs" }],
  },
  {
    name: "--max-deletes",
    value: "<n|p%>",
    says: { example: "10", text: (text, flag) => ({ maxDeletes: deletes(text, flag) }) },
    offers: [{ to: PRUNING, help: "the most resources that may be pruned; more is asked for, or refused" }],
  },
  {
    name: "--unprotect",
    says: { on: (unprotect) => ({ unprotect }) },
    offers: [{ to: ["destroy"], help: "also protected resources that --target names in full" }],
  },
  {
    name: "--erase-secrets",
    says: { on: (eraseSecrets) => ({ eraseSecrets }) },
    offers: [{ to: PRUNING, help: "after a lost password: treat recorded secrets as undefined (needs --force)" }],
  },
  {
    name: "--full",
    says: { on: (full) => ({ full }) },
    offers: [{ to: ["plan"], help: "show values whole, however long they are" }],
  },
  {
    name: "--quiet",
    short: "-q",
    isOnlyShown: true,
    says: { on: (quiet) => ({ quiet }) },
    offers: [{ to: RUNS, help: "print nothing but warnings and failures" }],
    // The app does not get far: what it shows of its progress would stand in the way of questions.
    impliedBy: STAGE,
  },
  {
    name: "--json",
    isOnlyShown: true,
    says: { on: (json) => ({ json }) },
    offers: [
      { to: RUNS, help: "print events as NDJSON, one object a line" },
      {
        to: [...without(STAGE, "graph", "ui"), "providers list", "providers verify"],
        help: "print one JSON object",
        isOwn: true,
      },
    ],
  },
] as const satisfies readonly Flag[];
