/** Resolution of options: checks and defaults. */
import { resolve } from "node:path";
import { EngineError, nameProblem, nameRule, typeName } from "../base/index.js";
import type {
  EngineOptions,
  InheritedOptions,
  OptionsContext,
  ResolvedOptions,
  ScopeOptions,
} from "../contract/index.js";
import { checkOptions, isOptionName } from "./option-rules.js";
import { TargetPattern } from "./target-pattern.js";

/**
 * Returns the options without members that are `undefined`, which count as absent.
 *
 * @throws `INVALID_OPTION` when the options are not an object
 */
export function dropUndefined(options: EngineOptions = {}): EngineOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new EngineError("INVALID_OPTION", `The options must be an object, not ${typeName(options)}.`);
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Returns the stage that the environment gives, and its variable; empty variables count as absent. */
export function resolveStage(
  env: Readonly<Record<string, string | undefined>>,
): { readonly stage: string; readonly origin: string } | undefined {
  for (const origin of ["ENGINE_STAGE", "STAGE", "USER", "USERNAME"]) {
    const stage = env[origin];
    if (stage) return { stage, origin };
  }
  return undefined;
}

const defaults = {
  phase: "up",
  stage: "dev",
  local: false,
  watch: false,
  tunnel: false,
  force: false,
  quiet: false,
  adopt: false,
  noTrack: false,
  destroyOrphans: true,
  destroyStrategy: "sequential",
  strictState: false,
  unprotect: false,
  eraseSecrets: false,
  plugins: [],
  concurrency: 64,
  lockTimeout: 0,
  lock: "lazy",
  durability: "normal",
  plan: false,
  refresh: false,
  targetDependents: false,
  excludeDependents: false,
  reapply: false,
  json: false,
  full: false,
  verbose: false,
} as const;

/**
 * Checks the result of the `options` hook and fills in the remaining defaults.
 *
 * @param cwd absolute path that a relative `rootDir` starts from, and its default
 * @throws `INVALID_OPTION`, `INVALID_NAME` (the stage), `ERASE_REQUIRES_FORCE`
 */
export function resolveOptions({ appName, options, origins }: OptionsContext, cwd: string): ResolvedOptions {
  const given = dropUndefined(options);
  checkOptions(given, origins);
  const rootDir = resolve(cwd, given.rootDir ?? "");
  const resolved: ResolvedOptions = { ...defaults, ...given, ...planPaths(given, cwd), rootDir, origins };
  checkStage(resolved);
  if (resolved.eraseSecrets && !resolved.force) {
    throw new EngineError(
      "ERASE_REQUIRES_FORCE",
      `${label("eraseSecrets", resolved)} erases every recorded secret, so it needs force. Pass { force: true } or --force as well.`,
    );
  }
  checkUnprotect(resolved);
  checkOpener(resolved);
  checkPlan(resolved);
  checkPatterns(appName, resolved);
  return Object.freeze(resolved);
}

/** Resolves plan files against the current folder of the user, not against the project. */
function planPaths({ planOut, planFile }: EngineOptions, cwd: string): EngineOptions {
  return dropUndefined({ planOut: planOut && resolve(cwd, planOut), planFile: planFile && resolve(cwd, planFile) });
}

function checkPlan(options: ResolvedOptions): void {
  const { plan, planOut, planFile, phase } = options;
  const refuse = (name: keyof EngineOptions, why: string): never => {
    throw new EngineError("INVALID_OPTION", `${label(name, options)} ${why}.`);
  };
  const read = 'has no meaning in the phase "read", which changes nothing';
  if (plan && phase === "read") refuse("plan", read);
  if (planFile !== undefined && phase === "read") refuse("planFile", read);
  if (planFile !== undefined && plan)
    refuse(
      "planFile",
      'contradicts the option "plan": a run either makes a plan or applies one. Leave one of the two options out',
    );
  if (planOut !== undefined && !plan) refuse("planOut", 'needs the option "plan"');
}

/** Limits `unprotect` to named resources: one option must not unprotect a whole stage. */
function checkUnprotect(options: ResolvedOptions): void {
  const { unprotect, phase, target = [] } = options;
  if (!unprotect || (phase === "destroy" && target.length > 0)) return;
  const way = "engine destroy --target shop/prod/db --unprotect";
  throw new EngineError(
    "INVALID_OPTION",
    `${label("unprotect", options)} needs a destroy with a target that names the protected resource in full, e.g. ${way}.`,
  );
}

/** Refuses a pattern that cannot match anything, because it would silently have no effect. */
function checkPatterns(appName: string, options: ResolvedOptions): void {
  for (const name of ["target", "exclude"] as const) {
    const root = `${appName}/${options.stage}/`;
    const typo = options[name]?.find((text) => !new TargetPattern(text, appName, options.stage).isPossible);
    if (typo === undefined) continue;
    throw new EngineError(
      "INVALID_OPTION",
      `${label(name, options)} holds "${typo}", which cannot match anything in "${root}". Name a path below it, such as "web/db", or begin the pattern with "**/" for any scope.`,
    );
  }
}

const scopeOptionNames: Readonly<Record<keyof InheritedOptions, true>> = {
  password: true,
  key: true,
  quiet: true,
  force: true,
  adopt: true,
  local: true,
  watch: true,
  profile: true,
  destroyStrategy: true,
  destroyOrphans: true,
};

/**
 * Returns the options of a child scope: the parent's, with the child's overrides.
 *
 * @throws `INVALID_OPTION` for anything that a child scope may not override
 */
export function scopeOptions(parent: ResolvedOptions, { aliases: _, ...overrides }: ScopeOptions): ResolvedOptions {
  const given = dropUndefined(overrides);
  const names = Object.keys(given);
  if (names.length === 0) return parent;
  for (const name of names) {
    if (!isOptionName(name) || Object.hasOwn(scopeOptionNames, name)) continue;
    const allowed = Object.keys(scopeOptionNames).join(", ");
    throw new EngineError(
      "INVALID_OPTION",
      `Option "${name}" belongs to the whole app: pass it to engine(). A child scope may override ${allowed}, and have aliases.`,
    );
  }
  checkOptions(given);
  checkOpener({ ...given, origins: {} });
  const origins = Object.fromEntries(Object.entries(parent.origins).filter(([name]) => !Object.hasOwn(given, name)));
  const { password, key, ...others } = parent;
  // A scope's own password or key replaces the one of its parent.
  const opener = given.password === undefined && given.key === undefined ? { password, key } : {};
  return Object.freeze({ ...others, ...opener, ...given, origins });
}

function checkOpener(options: Pick<ResolvedOptions, "password" | "key" | "origins">): void {
  if (options.password === undefined || options.key === undefined) return;
  const key = label("key", options).replace("Option", "option");
  const message = `${label("password", options)} and ${key} cannot be combined: the secrets are encrypted with only one of them. Set only one.`;
  throw new EngineError("INVALID_OPTION", message);
}

function label(name: keyof EngineOptions, { origins }: Pick<ResolvedOptions, "origins">): string {
  return origins[name] === undefined ? `Option "${name}"` : `Option "${name}" (from ${origins[name]})`;
}

function checkStage(options: ResolvedOptions): void {
  const problem = nameProblem(options.stage);
  if (problem === undefined) return;
  throw new EngineError(
    "INVALID_NAME",
    `${label("stage", options)} is not a valid stage: ${problem}. ${nameRule("stage")}`,
  );
}
