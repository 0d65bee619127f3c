/** What the third argument of a resource type may hold. */
import { EngineError } from "../errors.js";
import type { ResourceOptions } from "../resource/definition.js";

const NAMES: ReadonlySet<string> = new Set(["dependsOn", "adopt"] satisfies (keyof ResourceOptions)[]);

/** @throws EngineError `INVALID_OPTION` */
export function checkResourceOptions(fqn: string, options: ResourceOptions): void {
  if (typeof options !== "object" || options === null) throw invalid(fqn, "options that are no object");
  for (const name in options) {
    if (NAMES.has(name) || Reflect.get(options, name) === undefined) continue;
    throw invalid(fqn, `the option "${name}", which is not available`, `Known: ${[...NAMES].join(", ")}.`);
  }
  const { dependsOn, adopt } = options;
  if (adopt !== undefined && typeof adopt !== "boolean") {
    throw invalid(fqn, `the option adopt: ${String(adopt)}`, "It is true or false.");
  }
  if (dependsOn !== undefined && (!Array.isArray(dependsOn) || !dependsOn.every(isObject))) {
    throw invalid(
      fqn,
      "the option dependsOn with something else than resources",
      "It is a list of resources that were declared, or of objects that they gave, as in { dependsOn: [network] }.",
    );
  }
}

/** A promise may yet give a resource's output, and a part of an output has been awaited with it. */
function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function invalid(fqn: string, what: string, advice = ""): EngineError {
  return new EngineError("INVALID_OPTION", `"${fqn}" has ${what}. ${advice}`.trim(), { fqn });
}
