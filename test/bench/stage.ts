/** A stage's work as arguments of the programs that do it. */
import type { StageWork } from "./rows.js";

/** The arguments of the programs, except for the store. */
export function argumentsOf({ n, how, secrets, operation, store }: StageWork): string[] {
  const before = store === "memory" && operation !== "create" ? ["--before", "0"] : [];
  return [...shared({ n, how, secrets }), ...before, ...doing(operation)];
}

/** The same for the run that makes the initial state; undefined if the work starts from nothing. */
export function preparationOf({ n, how, secrets, operation, store }: StageWork): string[] | undefined {
  if (operation === "create" || store === "memory") return undefined;
  return shared({ n, how, secrets });
}

/** True if a run leaves the state unchanged, so that the next run can start from it. */
export function leavesAsItWas({ operation, store }: StageWork): boolean {
  return operation === "unchanged" && store !== "memory";
}

function shared({ n, how, secrets }: Pick<StageWork, "n" | "how" | "secrets">): string[] {
  return ["--n", String(n), "--how", how, ...openedBy(secrets)];
}

/** Any key: it opens only stages of the benchmark. */
export const KEY = "scope-engine-key-1-EhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhIMCMBu";

function openedBy(secrets: StageWork["secrets"]): string[] {
  if (!secrets) return [];
  return secrets === "key" ? ["--secrets", "--key", KEY] : ["--secrets"];
}

function doing(operation: StageWork["operation"]): string[] {
  switch (operation) {
    case "create":
    case "unchanged":
      return [];
    case "update":
      return ["--rev", "1"];
    case "replace":
      return ["--rev", "1", "--replace"];
    case "destroy":
      return ["--phase", "destroy"];
  }
}
