/** Flags that only a command reads; they are not passed to the program. */
import { BESIDE, FLEET, FLEET_RUNS, IMPORTS, PROVIDERS, RUNS, STAGE, STATE, without } from "./commands.js";
import type { Flag } from "./flag.js";

export const COMMAND_FLAGS = [
  {
    name: "--name",
    value: "<app>",
    offers: [{ to: ["init", ...IMPORTS], help: "name of the app (default: that of the old project or the folder)" }],
  },
  {
    name: "--store",
    value: "<where>",
    choices: ["files", "s3", "redis", "postgres"],
    offers: [{ to: ["init"], help: "where to keep the state (default: files)" }],
  },
  {
    name: "--format",
    value: "<name>",
    choices: ["mermaid", "dot", "svg", "html", "json"],
    offers: [
      { to: ["graph"], help: "output format (default: from the name in --out, else mermaid)" },
      { to: ["export"], choices: ["tfstate"], help: "output format (default: tfstate)" },
    ],
  },
  {
    name: "--new-password-file",
    value: "<file>",
    offers: [{ to: ["secrets rotate"], help: "file whose first line is the new password" }],
  },
  { name: "--new-key-file", value: "<file>", offers: [{ to: ["secrets rotate"], help: "file with the new key" }] },
  {
    name: "--new-key-command",
    value: "<line>",
    offers: [{ to: ["secrets rotate"], help: "command that prints the new key" }],
  },
  {
    name: "--rekey",
    offers: [
      {
        to: ["secrets rotate"],
        help: "re-encrypt every secret with a new data key; the password or key stays the same unless you also pass a new one",
      },
    ],
  },
  {
    name: "--scope",
    value: "<path>",
    offers: [{ to: ["secrets rotate"], help: "scope with its own password or key" }],
  },
  {
    name: "--scope-password-file",
    value: "<file>",
    offers: [
      {
        to: ["secrets rotate"],
        help: "file whose first line is the scope's current password, if it differs from the stage's (without this flag: the password in ENGINE_SCOPE_PASSWORD)",
      },
    ],
  },
  {
    name: "--scope-key-file",
    value: "<file>",
    offers: [
      {
        to: ["secrets rotate"],
        help: "file with the scope's current key, if it differs from the stage's (without this flag: the key in ENGINE_SCOPE_KEY)",
      },
    ],
  },
  {
    name: "--show-secrets",
    offers: [
      { to: ["state show"], help: "show the values of secrets in plain text" },
      { to: ["export"], help: "write secrets in plain text, as Terraform needs them" },
    ],
  },
  {
    name: "--copy",
    value: "<uid>",
    offers: [{ to: ["state keep"], help: 'keep an old copy; "engine state show" prints its uid' }],
  },
  {
    name: "--retained",
    offers: [{ to: ["state forget"], help: "remove names of retained resources instead of records" }],
  },
  {
    name: "--unverified",
    offers: [
      { to: ["state push", "state restore"], help: "accept a copy without a seal although the state is sealed" },
    ],
  },
  {
    name: "--to",
    value: "<store>",
    required: true,
    offers: [
      {
        to: ["state migrate"],
        help: "s3://bucket/prefix, redis://host:port, rediss://host:port, postgres://host/database, or a folder; must not hold this stage yet",
      },
    ],
  },
  {
    name: "--to-stage",
    value: "<name>",
    offers: [{ to: ["state move"], help: "move the records to this stage of the same store" }],
  },
  {
    name: "--to-app",
    value: "<name>",
    offers: [{ to: ["state move"], help: "move the records to this app in the same store" }],
  },
  {
    name: "--to-password-file",
    value: "<file>",
    offers: [
      { to: ["state move"], help: "file with the target's password (default: ENGINE_TO_PASSWORD, else the source's)" },
    ],
  },
  {
    name: "--to-key-file",
    value: "<file>",
    offers: [{ to: ["state move"], help: "file with the target's key (default: ENGINE_TO_KEY, else the source's)" }],
  },
  {
    name: "--mirror",
    value: "<folder>",
    offers: [{ to: ["add", ...IMPORTS], help: "folder with providers, packed or unpacked, instead of the registry" }],
  },
  { name: "--write", value: "<folder>", offers: [{ to: [...IMPORTS], help: "folder for the program (default: .)" }] },
  { name: "--provider-config", value: "<file>", offers: [{ to: [...IMPORTS], help: "JSON to configure providers" }] },
  { name: "--type", value: "<type>", repeats: true, offers: [{ to: ["import"], help: "Pulumi TOKEN=Terraform TYPE" }] },
  {
    name: "--from",
    value: "<folder>",
    offers: [
      {
        to: ["add"],
        help: "add all providers and types used in a folder of .tf files, or of JSON files from cdktf",
      },
    ],
  },
  { name: "--used", offers: [{ to: ["add"], help: "add the types that the program uses" }] },
  {
    name: "--all",
    offers: [
      { to: ["state processes"], help: "include all apps and stages of this root folder" },
      { to: ["state stages"], help: "include empty stages" },
      { to: ["state move"], help: "move everything: renames the stage or the app" },
    ],
  },
  { name: "--sql", offers: [{ to: ["state init"], help: "print the statements that create the table, and run none" }] },
  { name: "--history", offers: [{ to: ["state purge"], help: "also remove the copies that can be restored" }] },
  {
    name: "--stop",
    offers: [{ to: ["state processes"], help: "stop the listed processes and all processes that they started" }],
  },
  {
    name: "--entry",
    value: "<file>",
    offers: [
      {
        to: [...STATE, "secrets rotate", ...PROVIDERS],
        help: "file of the program (default: engine.run.ts in the current folder)",
      },
    ],
  },
  {
    name: "--app",
    value: "<name>",
    offers: [
      { to: ["graph"], help: "use another app in the same store" },
      { to: ["ui"], help: "use another app in the program's store; without a program, in files here or in --state" },
      {
        to: [...STATE, "export", "secrets rotate"],
        help: "use another app in the program's store; without a program, in files here or in --state",
      },
    ],
  },
  {
    name: "--env-file",
    value: "<file>",
    offers: [
      {
        to: [...RUNS, ...STAGE, ...FLEET, "fleet migrate", "watched-run"],
        help: "file with environment variables (default: .env if it exists)",
      },
    ],
  },
  {
    name: "--yes",
    short: "-y",
    offers: [
      { to: ["init"], help: "take the defaults without asking" },
      {
        to: [
          "destroy",
          "fleet destroy",
          "state unlock",
          "state move",
          "state forget",
          "state keep",
          "state push",
          "state restore",
          "state migrate",
          "state purge",
          "state seal",
          "state processes",
        ],
        help: "do not ask for confirmation",
      },
    ],
  },
  {
    name: "--missing-ok",
    offers: [
      {
        to: [
          "destroy",
          "plan",
          "drift",
          "graph",
          "export",
          ...without(STATE, "state init", "state stages", "state push"),
          "secrets rotate",
        ],
        help: "exit with 0 if the stage has no state",
      },
      { to: ["fleet status"], help: "exit with 0 if the fleet has no recorded run" },
    ],
  },
  {
    name: "--exit-code",
    offers: [
      { to: ["plan"], help: "exit with 2 if there are changes to make" },
      { to: ["fleet plan"], help: "exit with 2 if a stage has changes to make" },
      { to: ["fleet drift"], help: "exit with 2 if a stage has drifted" },
      { to: ["drift"], help: "exit with 2 if a resource has drifted, else with 4 if one could not be read" },
    ],
  },
  {
    name: "--queue",
    value: "<url>",
    offers: [
      {
        to: FLEET_RUNS,
        help: "queue that distributes the stages to workers: redis:// or postgres:// (default: ENGINE_QUEUE, else the stages run in this process)",
      },
      { to: ["worker"], help: "queue to take stages from: redis:// or postgres:// (default: ENGINE_QUEUE)" },
      { to: ["ui"], help: "queue for the runs of a fleet that the page resumes or retries (default: ENGINE_QUEUE)" },
      { to: ["fleet migrate"], help: "database of the queue: postgres:// (default: ENGINE_QUEUE)" },
    ],
  },
  {
    name: "--wait",
    offers: [
      {
        to: FLEET_RUNS,
        help: "wait while the run is paused or a wave begins by hand (default on a terminal; elsewhere the run ends, and resume continues it)",
      },
    ],
  },
  { name: "--no-wait", offers: [{ to: FLEET_RUNS, help: "do not wait, also on a terminal" }] },
  {
    name: "--grace",
    value: "<time>",
    offers: [{ to: ["worker"], help: "time that running stages may take once the worker is to end (default: 30s)" }],
  },
  {
    name: "--health",
    value: "<port>",
    offers: [{ to: ["worker"], help: "port, or host:port, that answers GET / with the status of the worker" }],
  },
  { name: "--ui", offers: [{ to: BESIDE, help: "serve a page on this machine that shows the run live" }] },
  {
    name: "--events",
    value: "<path>",
    offers: [
      { to: ["ui"], help: "file, or folder of files, with the events of runs (default: ENGINE_EVENTS)" },
      {
        to: BESIDE,
        value: "<folder>",
        help: "keep the events of the run in a file there, for engine ui (default: ENGINE_EVENTS)",
      },
    ],
  },
  { name: "--port", value: "<n>", offers: [{ to: ["ui"], help: "port of the page (default: a free port)" }] },
  { name: "--no-open", offers: [{ to: ["ui", ...BESIDE], help: "do not open a browser" }] },
  {
    name: "--allow-changes",
    offers: [
      { to: ["ui"], help: "let the page check for drift (needs <entry>), and pause, resume, retry and cancel fleets" },
      { to: BESIDE, help: "let the page answer the questions of the run" },
    ],
  },
] as const satisfies readonly Flag[];
