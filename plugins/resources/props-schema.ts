/** Schemas of the built-in types. They refuse unknown props and wrong types before anything is recorded. */
import {
  EngineError,
  isRecord,
  nameHint,
  problemWith,
  type Rule,
  type RulesOf,
  typeName,
} from "../../core/base/index.js";
import type { SchemaIssue, StandardSchema } from "../../core/contract/index.js";
import { checkCommand, plainEnvironment } from "../processes/plain-environment.js";
import { checkPath } from "./paths.js";

/** Returns a schema that accepts props without changes if each follows its rule. */
export function propsSchema<Props extends object>(rules: RulesOf<Props>): StandardSchema<Props, Props> {
  const validate = (props: unknown) => {
    const issues = issuesOf(Object(props), rules);
    return issues.length > 0 ? { issues } : { value: Object(props) };
  };
  return { "~standard": { version: 1, vendor: "scope-engine", validate } };
}

/** Lists the issues of props. */
export function issuesOf(props: object, rules: Readonly<Record<string, Rule>>): readonly SchemaIssue[] {
  const known = Object.keys(rules);
  const unknown = Object.entries(props).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(rules, name)
      ? []
      : { path: [name], message: `is not a prop of this type. ${nameHint(name, known, "Known props")}` },
  );
  const unfit = Object.entries(rules).flatMap(([name, rule]) => {
    const problem = problemWith(rule, Reflect.get(props, name));
    return problem === undefined ? [] : { path: [name], message: problem };
  });
  return [...unknown, ...unfit];
}

/** Returns a rule with the messages of a check. @param check throws an EngineError for an invalid value */
function checked(allowed: string, check: (value: unknown) => void): Rule {
  const explain = (value: unknown): string | undefined => {
    try {
      check(value);
      return undefined;
    } catch (error) {
      if (error instanceof EngineError) return error.message;
      throw error;
    }
  };
  return { allowed, accepts: (value) => explain(value) === undefined, explain };
}

export const path: Rule = checked("a path", (value) => checkPath(value));
export const command: Rule = checked("a command", (value) => checkCommand(value, "INVALID_PROPS"));
export const mode: Rule = {
  allowed: "permission bits from 0 to 0o7777",
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0o7777,
  showable: true,
};
export const environment: Rule = checked("an object of strings and secrets", (value) => {
  if (!isRecord(value)) {
    throw new EngineError("INVALID_PROPS", `must be an object of strings and secrets, not ${typeName(value)}`);
  }
  plainEnvironment({ ...value }, "INVALID_PROPS");
});
