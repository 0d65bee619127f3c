/** Builds the telemetry events of a run. No other file adds data to them. */
import {
  type Environment,
  errorCodes,
  nodeCrypto,
  ownVersion,
  type Phase,
  type RunSummary,
  timeOfDay,
} from "../../core/base/index.js";
import type { TelemetryEvent, TelemetryValue } from "../../core/contract/index.js";
import { BUILT_IN_STORES, isSet } from "./switches.js";

/** An event without the ID of the user. */
export type AnonymousEvent = Omit<TelemetryEvent, "userId">;

export interface RunStart {
  readonly phase: Phase | "plan";
  /** Name of the store; undefined if the run failed before it had one. */
  readonly store: string | undefined;
  readonly env: Environment;
}

export interface RunEnd {
  readonly ok: boolean;
  /** Milliseconds. */
  readonly duration: number;
  readonly summary: RunSummary;
  /** Codes of the errors of the run. */
  readonly codes: readonly string[];
  /** Number of resources by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

export function started(start: RunStart): AnonymousEvent {
  return event("run started", basics(start));
}

export function finished(start: RunStart, { ok, duration, summary, codes, kinds }: RunEnd): AnonymousEvent {
  const errors = [...new Set(codes.map(knownCode))].sort();
  return event("run finished", {
    ...basics(start),
    outcome: ok ? "done" : errors.every((code) => code === "ABORTED") ? "interrupted" : "failed",
    duration: Math.round(duration),
    errors,
    kinds,
    ...summary,
  });
}

function event(name: AnonymousEvent["name"], properties: Readonly<Record<string, TelemetryValue>>): AnonymousEvent {
  return { name, uuid: nodeCrypto().randomUUID(), timestamp: timeOfDay(), properties };
}

function basics({ phase, store, env }: RunStart) {
  return {
    phase,
    store: storeType(store),
    version: ownVersion(),
    ...runtime(),
    os: process.platform,
    ci: ciVendor(env),
  };
}

function storeType(name: string | undefined): string {
  if (name === undefined) return "none";
  return BUILT_IN_STORES.includes(name) ? name : "custom";
}

function runtime(): { readonly runtime: string; readonly runtimeVersion: string } {
  const { bun, deno, node = "" } = process.versions;
  if (bun !== undefined) return { runtime: "bun", runtimeVersion: bun };
  return deno === undefined ? { runtime: "node", runtimeVersion: node } : { runtime: "deno", runtimeVersion: deno };
}

/** Replaces unknown codes: a plugin may put any text into an error. */
function knownCode(code: string): string {
  return errorCodes.some((known) => known === code) ? code : "OTHER";
}

/** Variables that only one CI service sets, with the name of the service. */
const VENDORS: Readonly<Record<string, string>> = {
  APPVEYOR: "appveyor",
  BITBUCKET_BUILD_NUMBER: "bitbucket",
  BUILDKITE: "buildkite",
  CIRCLECI: "circleci",
  CODEBUILD_BUILD_ID: "codebuild",
  DRONE: "drone",
  GITHUB_ACTIONS: "github",
  GITLAB_CI: "gitlab",
  JENKINS_URL: "jenkins",
  NETLIFY: "netlify",
  TEAMCITY_VERSION: "teamcity",
  TF_BUILD: "azure",
  TRAVIS: "travis",
  VERCEL: "vercel",
};

/** Returns the name of the CI service, true for an unknown one, false outside of CI. */
export function ciVendor(env: Environment): string | boolean {
  const [, vendor] = Object.entries(VENDORS).find(([name]) => env[name]) ?? [];
  return vendor ?? isSet(env.CI);
}
