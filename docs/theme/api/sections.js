/** Tasks of a program, and the exports for each. */
import { ReflectionKind } from "typedoc";

/** In the order in which most programs come to need them. */
export const PURPOSES = {
  Run: "Open an app, run a program in it, and know how it went.",
  Declare: "Define types of resources, declare resources, and hand values around.",
  Plan: "Find out what a run would do, and what is not as recorded.",
  Store: "Keep the state where all who deploy can reach it, look at it, and move it.",
  Plugin: "Change, watch, delay or refuse what a run does.",
  Test: "Try programs, types and stores without a cloud.",
};

/** By name, before the rules for files. */
const NAMES = {
  Later: "Plugin",
  isUnknown: "Plan",
  TelemetrySink: "Plugin",
  TelemetryEvent: "Plugin",
  ConcealedText: "Plugin",
};

/** By the file of the definition; the first match counts. An export without a match belongs to "Run". */
const FILES = [
  [/core\/testing\//, "Test"],
  [/core\/(contract\/)?plan/, "Plan"],
  [/core\/(contract\/plugin|plugin)\//, "Plugin"],
  [
    /(core|plugins)\/admin\/|core\/state\/|core\/contract\/store|core\/engine\/migration|adapters\/(?!posthog)/,
    "Store",
  ],
  [
    /contract\/(definition|resource-options|inputs|pending|schema|record)|core\/resource\/|plugins\/(resources|secrets\/(api|secret))/,
    "Declare",
  ],
  [/plugins\/(index|secrets\/(rotate|seal-state))/, "Run"],
  [/plugins\/|adapters\/posthog|contract\/telemetry/, "Plugin"],
];

/** Exports that most programs use come first. */
const FIRST = [
  "engine",
  "Scope",
  "EngineError",
  "Resource",
  "Secret",
  "memoryStore",
  "definePlugin",
  "s3Store",
  "redisStore",
  "postgresStore",
  "fsStore",
  "keyvStore",
  "stageAdmin",
  "createTestApp",
  "Engine",
  "DefaultEngine",
  "EngineOptions",
  "Plan",
  "StateStore",
  "EngineHooks",
  "EngineEvents",
  "EnginePlugin",
  "PluginHost",
  "HandlersDefinition",
];

const VALUES = ReflectionKind.Function | ReflectionKind.Variable | ReflectionKind.Class;

/** `{ title, values, types }` for each purpose that has an export in the module. */
export function sectionsOf(module) {
  const children = [...(module.children ?? [])].sort((one, other) => rank(one) - rank(other));
  return Object.keys(PURPOSES).flatMap((title) => {
    const own = children.filter((child) => purposeOf(child) === title);
    if (own.length === 0) return [];
    const isValue = (child) => targetOf(child).kindOf(VALUES);
    return [{ title, values: own.filter(isValue), types: own.filter((child) => !isValue(child)) }];
  });
}

/** The purpose of an export. */
export function purposeOf(child) {
  const target = targetOf(child);
  const file = target.project.getSymbolIdFromReflection(target)?.fileName ?? "";
  return NAMES[target.name] ?? FILES.find(([pattern]) => pattern.test(file))?.[1] ?? "Run";
}

/** A re-export stands for its original. */
export function targetOf(child) {
  return child.isReference() ? child.getTargetReflectionDeep() : child;
}

/** Entries by topic. */
export function entryGroups(entries) {
  const groups = [
    ["Engine", /^scope-engine(\/(resources|core|testing|admin))?$/],
    ["Stores", /\/adapters\/(?!posthog)/],
    ["Plugins", /\/(plugins|adapters)\//],
  ];
  const groupOf = ({ text }) => groups.find(([, pattern]) => pattern.test(text))?.[0];
  return groups.map(([title]) => ({ title, entries: entries.filter((entry) => groupOf(entry) === title) }));
}

function rank({ name }) {
  const at = FIRST.indexOf(name);
  return at < 0 ? FIRST.length : at;
}
