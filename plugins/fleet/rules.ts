/** Rules for the options of fleets. */
import {
  callback,
  either,
  flag,
  hasFunctions,
  isRecord,
  record as object,
  type Rule,
  type RulesOf,
  text,
  wholeFrom,
} from "../../core/base/index.js";
import { fractionOf } from "./conductor/waves.js";
import type { FleetOptions, FleetRunOptions, FleetWorkOptions } from "./contract.js";

const share: Rule = {
  allowed: 'a whole number of at least 0, or a percentage such as "5%"',
  accepts: (value) => wholeFrom(0).accepts(value) || fractionOf(value) !== undefined,
  showable: true,
};

const isLimit = (value: unknown): boolean => {
  const { concurrency, rate } = Object(value);
  const isRate = rate === undefined || (isRecord(rate) && [Object(rate).max, Object(rate).duration].every(isPositive));
  return hasFunctions(value, "key") && (concurrency === undefined || isPositive(concurrency)) && isRate;
};

const isPositive = (value: unknown): boolean => wholeFrom(1).accepts(value);

export const definitionRules: RulesOf<FleetOptions<unknown>> = {
  stages: {
    allowed: "a list, an async iterable, or a function that returns one",
    accepts: (value) => typeof value === "function" || (typeof value === "object" && value !== null),
    isRequired: true,
  },
  input: { allowed: "a Standard Schema", accepts: (value) => isRecord(Object(value)["~standard"]) },
  program: { ...callback, isRequired: true },
  concurrency: wholeFrom(1),
  limit: {
    allowed: "{ key, concurrency, rate: { max, duration } } with whole numbers of at least 1",
    accepts: isLimit,
  },
  after: callback,
  waves: { allowed: "a list", accepts: Array.isArray },
  maxFailures: share,
  prune: either(flag, { allowed: "{ max }", accepts: (value) => isRecord(value) && share.accepts(Object(value).max) }),
  options: object,
  histories: wholeFrom(0),
  checkpoints: wholeFrom(1),
  version: text,
};

const signal: Rule = { allowed: "an AbortSignal", accepts: (value) => hasFunctions(value, "addEventListener") };

export const workRules: RulesOf<FleetWorkOptions> = {
  queue: { ...text, isRequired: true },
  concurrency: wholeFrom(1),
  signal,
  grace: wholeFrom(0),
  version: text,
  onStage: callback,
  onWarning: callback,
  defaults: object,
};

export const runRules: RulesOf<FleetRunOptions> = {
  queue: text,
  stage: text,
  concurrency: wholeFrom(1),
  signal,
  lockTimeout: wholeFrom(0),
  version: text,
  wait: flag,
  confirm: callback,
  defaults: object,
  onProgress: callback,
  onStage: callback,
  onWarning: callback,
};
