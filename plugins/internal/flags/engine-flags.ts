/** Flags of the engine itself; programs accept them, too. */
import { CHANGING, FLEET, FLEET_APPLY, FLEET_RUNS, IMPORTS, RUNS, STAGE, STATE, without } from "./commands.js";
import type { Flag } from "./flag.js";
import { deletes, milliseconds, moment, storeUrl, wholeNumber } from "./flag.js";

const ALL = [...RUNS, ...STAGE, ...IMPORTS] as const;
const ALL_AND_FLEETS = [...ALL, ...FLEET] as const;
const PRUNING = without(RUNS, "destroy", "read");

export const ENGINE_FLAGS = [
  {
    name: "--plan",
    says: { on: (plan) => ({ plan }), text: (planFile) => ({ planFile }) },
    offers: [
      { to: ["up"], value: "<file>", help: "apply a saved plan and change nothing else" },
      { to: ["destroy"], value: "<file>", help: "apply a saved plan of a destroy and delete nothing else" },
      { to: ["state move"], help: "show what would move to another stage, and change nothing", isOwn: true },
      { to: [...IMPORTS], help: "show the result and write nothing", isOwn: true },
    ],
    impliedBy: ["plan"],
  },
  {
    name: "--out",
    short: "-o",
    value: "<file>",
    says: { example: "plan.json", text: (planOut) => ({ planOut }) },
    offers: [
      { to: ["plan"], help: 'save the plan, for "engine up --plan <file>"' },
      { to: ["graph"], help: "write to a file instead of printing", isOwn: true },
      {
        to: ["export"],
        value: "<folder>",
        help: "folder for the files, which must not exist yet (default: terraform)",
        isOwn: true,
      },
      { to: ["ui"], help: "write a page with the newest run of an events file, and exit", isOwn: true },
      { to: ["state pull"], help: "write the state to a file that only you can read", isOwn: true },
      {
        to: ["add"],
        help: "file for the generated types (default: providers/TYPE.ts next to the program)",
        isOwn: true,
      },
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
    offers: [
      { to: ALL, help: "stage to use (default: ENGINE_STAGE, else STAGE, else your user name)" },
      { to: ["fleet status"], help: "show the outcome of this stage in the last run that ended it" },
      { to: ["fleet plan", "fleet drift"], help: "look only at this stage, in this process" },
    ],
  },
  {
    name: "--state",
    value: "<url>",
    says: { example: "s3://bucket/prefix", text: (text, flag) => ({ stateStore: storeUrl(text, flag) }) },
    offers: [
      {
        to: ALL_AND_FLEETS,
        help: "state store: s3://, redis://, postgres:// or a folder (default: the program's store, else ENGINE_STATE)",
      },
    ],
  },
  {
    name: "--root-dir",
    value: "<folder>",
    says: { example: "./infra", text: (rootDir) => ({ rootDir }) },
    offers: [{ to: ALL_AND_FLEETS, help: "root folder of the project (default: the current folder)" }],
  },
  {
    name: "--profile",
    value: "<name>",
    says: { example: "work", text: (profile) => ({ profile }) },
    offers: [{ to: ALL_AND_FLEETS, help: "profile that resources and stores use to authorize their requests" }],
  },
  // The last one of these three counts.
  {
    name: "--password-file",
    value: "<file>",
    says: { example: "./password", text: (text, flag) => ({ opener: { from: "passwordFile", text, flag } }) },
    offers: [
      {
        to: ALL_AND_FLEETS,
        help: "file whose first line is the password of the secrets (without this flag: the password in ENGINE_PASSWORD)",
      },
    ],
  },
  {
    name: "--key-file",
    value: "<file>",
    says: { example: "./key", text: (text, flag) => ({ opener: { from: "keyFile", text, flag } }) },
    offers: [
      { to: ALL_AND_FLEETS, help: "file with the key of the secrets (without this flag: the key in ENGINE_KEY)" },
    ],
  },
  {
    name: "--key-command",
    value: "<line>",
    says: {
      example: "'op read op://vault/key'",
      text: (text, flag) => ({ opener: { from: "keyCommand", text, flag } }),
    },
    offers: [{ to: ALL_AND_FLEETS, help: "command that prints the key of the secrets (default: ENGINE_KEY_COMMAND)" }],
  },
  {
    name: "--strict-state",
    says: { on: (strictState) => ({ strictState }) },
    offers: [{ to: ALL_AND_FLEETS, help: "fail if a sealed state is older than the one this machine last saw" }],
  },
  {
    name: "--verbose",
    says: { on: (verbose) => ({ verbose }) },
    offers: [{ to: ALL_AND_FLEETS, help: "print stack traces of failures" }],
  },
  {
    name: "--target",
    value: "<glob>",
    repeats: true,
    says: { example: "'**/web'", text: (glob) => ({ target: [glob] }) },
    offers: [{ to: without(RUNS, "read"), help: "act only on resources whose FQN matches, and on those below them" }],
  },
  {
    name: "--exclude",
    value: "<glob>",
    repeats: true,
    says: { example: "'**/web'", text: (glob) => ({ exclude: [glob] }) },
    offers: [{ to: without(RUNS, "read"), help: "do not act on resources whose FQN matches" }],
  },
  {
    name: "--target-dependents",
    says: { on: (targetDependents) => ({ targetDependents }) },
    offers: [{ to: without(RUNS, "read"), help: "act on resources that depend on a targeted one, too" }],
  },
  {
    name: "--exclude-dependents",
    says: { on: (excludeDependents) => ({ excludeDependents }) },
    offers: [{ to: without(RUNS, "read"), help: "do not act on resources that depend on an excluded one, either" }],
  },
  {
    name: "--refresh",
    says: { on: (refresh) => ({ refresh }) },
    offers: [{ to: [...PRUNING, ...FLEET_APPLY], help: "read every recorded resource before comparing" }],
  },
  {
    name: "--adopt",
    says: { on: (adopt) => ({ adopt }) },
    offers: [{ to: [...PRUNING, ...FLEET_APPLY], help: "adopt resources that exist but are not recorded" }],
  },
  {
    name: "--force",
    short: "-f",
    says: { on: (force) => ({ force }) },
    offers: [
      { to: [...without(RUNS, "read"), ...FLEET_APPLY], help: "update resources even if nothing changed" },
      { to: ["state unlock"], help: "unlock even if the process of the run still exists on this machine", isOwn: true },
      { to: ["state move"], help: "move pending resources, too", isOwn: true },
      { to: ["state forget"], help: "remove protected resources from the state, too", isOwn: true },
      { to: ["state push"], help: "accept a file that is older than the state", isOwn: true },
    ],
  },
  {
    name: "--local",
    says: { on: (local) => ({ local }) },
    offers: [{ to: without(RUNS, "dev"), help: "simulate resources locally if their type supports it" }],
    impliedBy: ["dev"],
  },
  { name: "--watch", says: { on: (watch) => ({ watch }) }, offers: [], impliedBy: ["dev", "watch"] },
  {
    name: "--tunnel",
    says: { on: (tunnel) => ({ tunnel }) },
    offers: [{ to: RUNS, help: "open a tunnel for resources that support it" }],
  },
  {
    name: "--concurrency",
    value: "<n>",
    says: { example: "8", text: (text, flag) => ({ concurrency: wholeNumber(text, flag) }) },
    offers: [
      { to: [...RUNS, "drift"], help: "number of handlers that run at once (default: 64)" },
      {
        to: [...FLEET_RUNS, "worker"],
        help: "number of stages that run at once (default: that of the fleet)",
        isOwn: true,
      },
    ],
  },
  {
    name: "--lock-timeout",
    value: "<time>",
    says: { example: "30s", text: (text, flag) => ({ lockTimeout: milliseconds(text, flag) }) },
    offers: [
      { to: [...CHANGING, ...STATE, "secrets rotate"], help: "time to wait for another run, e.g. 5m (default: 0)" },
      {
        to: without(FLEET, "worker", "fleet status"),
        help: "time to wait for another run of the fleet, e.g. 5m (default: 0)",
      },
    ],
  },
  {
    name: "--lock",
    value: "<lazy|eager>",
    says: { example: "eager", text: (text, flag) => ({ lock: moment(text, flag) }) },
    offers: [
      {
        to: CHANGING,
        help: "take the lock at the first change (lazy, the default), or before the program runs (eager)",
      },
    ],
  },
  {
    name: "--max-deletes",
    value: "<n|p%>",
    says: { example: "10", text: (text, flag) => ({ maxDeletes: deletes(text, flag) }) },
    offers: [
      { to: PRUNING, help: "maximum number of resources to delete; above it, the run asks for confirmation or fails" },
      { to: FLEET_APPLY, help: "maximum number of resources to delete in a stage; above it, the stage fails" },
    ],
  },
  {
    name: "--unprotect",
    says: { on: (unprotect) => ({ unprotect }) },
    offers: [{ to: ["destroy"], help: "delete protected resources that --target names in full, too" }],
  },
  {
    name: "--erase-secrets",
    says: { on: (eraseSecrets) => ({ eraseSecrets }) },
    offers: [{ to: PRUNING, help: "after a lost password: treat recorded secrets as undefined (needs --force)" }],
  },
  {
    name: "--full",
    says: { on: (full) => ({ full }) },
    offers: [{ to: ["plan"], help: "show long values in full" }],
  },
  {
    name: "--quiet",
    short: "-q",
    isOnlyShown: true,
    says: { on: (quiet) => ({ quiet }) },
    offers: [{ to: [...RUNS, ...FLEET_RUNS, "worker"], help: "print only warnings and failures" }],
    // The app is not opened: its progress output would only interfere with questions.
    impliedBy: STAGE,
  },
  {
    name: "--json",
    isOnlyShown: true,
    says: { on: (json) => ({ json }) },
    offers: [
      { to: RUNS, help: "print events as NDJSON, one object per line" },
      { to: [...FLEET_RUNS, "worker"], help: "print NDJSON: one object for each stage", isOwn: true },
      {
        to: [
          ...without(STAGE, "graph", "ui"),
          ...IMPORTS,
          "providers list",
          "providers verify",
          "fleet status",
          "fleet pause",
          "fleet cancel",
          "fleet migrate",
        ],
        help: "print one JSON object",
        isOwn: true,
      },
    ],
  },
] as const satisfies readonly Flag[];
