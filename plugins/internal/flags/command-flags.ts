/** The flags that are for a command itself: no program takes them. */
import { BESIDE, PROVIDERS, RUNS, STAGE, STATE, without } from "./commands.js";
import type { Flag } from "./flag.js";

export const COMMAND_FLAGS = [
  { name: "--name", value: "<app>", offers: [{ to: ["init"], help: "name of the app (default: the folder's)" }] },
  {
    name: "--store",
    value: "<where>",
    choices: ["files", "s3", "redis"],
    offers: [{ to: ["init"], help: "where the state is kept (default: files)" }],
  },
  {
    name: "--format",
    value: "<name>",
    choices: ["mermaid", "dot", "svg", "html", "json"],
    offers: [{ to: ["graph"], help: "default: that of --out, else mermaid" }],
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
        help: "encrypt every secret anew by a new key; without a new password or key, the present one stays",
      },
    ],
  },
  {
    name: "--scope",
    value: "<path>",
    offers: [{ to: ["secrets rotate"], help: "scope that has a password or a key of its own" }],
  },
  {
    name: "--scope-password-file",
    value: "<file>",
    offers: [
      {
        to: ["secrets rotate"],
        help: "file with its present password, where the stage has one besides (default: ENGINE_SCOPE_PASSWORD)",
      },
    ],
  },
  {
    name: "--scope-key-file",
    value: "<file>",
    offers: [{ to: ["secrets rotate"], help: "file with its present key, likewise (default: ENGINE_SCOPE_KEY)" }],
  },
  {
    name: "--show-secrets",
    offers: [{ to: ["state show"], help: "with what secrets hold, in clear" }],
  },
  {
    name: "--copy",
    value: "<uid>",
    offers: [{ to: ["state keep"], help: 'keep an old copy, whose uid "engine state show" prints' }],
  },
  {
    name: "--retained",
    offers: [{ to: ["state forget"], help: "no records, but names that retained resources still have" }],
  },
  {
    name: "--unverified",
    offers: [{ to: ["state push", "state restore"], help: "also one without a seal, of a state that is sealed" }],
  },
  {
    name: "--to",
    value: "<store>",
    required: true,
    offers: [
      {
        to: ["state migrate"],
        help: "s3://bucket/prefix, redis://host:port, rediss://host:port, or a folder: where nothing of this stage is",
      },
    ],
  },
  {
    name: "--mirror",
    value: "<folder>",
    offers: [
      { to: ["add"], help: "folder with providers, packed or unpacked, to take it from in place of its registry" },
    ],
  },
  {
    name: "--from",
    value: "<folder>",
    offers: [
      {
        to: ["add"],
        help: "folder with .tf files, or JSON that cdktf has written: all providers and types that it uses",
      },
    ],
  },
  { name: "--used", offers: [{ to: ["add"], help: "the types of all that the program uses of it" }] },
  {
    name: "--all",
    offers: [
      { to: ["state processes"], help: "of all apps and stages of this root folder" },
      { to: ["state stages"], help: "also those that are empty" },
    ],
  },
  { name: "--history", offers: [{ to: ["state purge"], help: "also the copies that can be restored" }] },
  {
    name: "--stop",
    offers: [{ to: ["state processes"], help: "stop those that are listed, with all that they have started" }],
  },
  {
    name: "--entry",
    value: "<file>",
    offers: [
      {
        to: [...STATE, "secrets rotate", ...PROVIDERS],
        help: "the program (default: engine.run.ts in the current folder)",
      },
    ],
  },
  {
    name: "--app",
    value: "<name>",
    offers: [
      { to: ["graph"], help: "another app of the same store" },
      { to: ["ui"], help: "another app of the same store; without a program, one whose state is in files" },
      {
        to: [...STATE, "secrets rotate"],
        help: "another app of the same store; without a program, one whose state is in files",
      },
    ],
  },
  {
    name: "--env-file",
    value: "<file>",
    offers: [
      { to: [...RUNS, ...STAGE, "watched-run"], help: "file with variables (default: .env, where there is one)" },
    ],
  },
  {
    name: "--yes",
    short: "-y",
    offers: [
      { to: ["init"], help: "ask nothing" },
      {
        to: [
          "destroy",
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
        help: "do not ask",
      },
    ],
  },
  {
    name: "--missing-ok",
    offers: [
      {
        to: ["destroy", "plan", "drift", "graph", ...without(STATE, "state stages", "state push"), "secrets rotate"],
        help: "end with 0 if nothing was ever recorded of the stage",
      },
    ],
  },
  {
    name: "--exit-code",
    offers: [
      { to: ["plan"], help: "end with 2 where there is something to do" },
      { to: ["drift"], help: "end with 2 if something has drifted, else with 4 if something could not be looked at" },
    ],
  },
  { name: "--ui", offers: [{ to: BESIDE, help: "serve a page on this machine that shows the run as it goes" }] },
  {
    name: "--events",
    value: "<path>",
    offers: [{ to: ["ui"], help: "file, or folder of files, with the output of runs with --json" }],
  },
  { name: "--port", value: "<n>", offers: [{ to: ["ui"], help: "port of the page (default: one that is free)" }] },
  { name: "--no-open", offers: [{ to: ["ui", ...BESIDE], help: "do not open a browser" }] },
  {
    name: "--allow-changes",
    offers: [
      { to: ["ui"], help: "the page may look for drift" },
      { to: BESIDE, help: "the page may answer what the run asks" },
    ],
  },
] as const satisfies readonly Flag[];
