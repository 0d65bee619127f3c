/** Settles the props of a data source: those with which its provider finds the recorded object. */
import { isEngineError } from "../../../core/base/index.js";
import { type CtyValue, isEqual, memberOf, recordOf } from "../../terraform/cty/index.js";
import { checkDiagnostics, type Subject } from "../../terraform/lifecycle/diagnostics.js";
import { impliedType } from "../../terraform/schema/index.js";
import { candidate, NOTHING_TAKEN } from "./candidate.js";
import { choicesOf } from "./choices.js";
import { isOfEnd } from "./guess-config.js";

/** Names by which objects are usually found, the best one first. */
const FOUND_BY = ["id", "name", "arn"];

/**
 * Returns the configuration. A state does not say which members were configured, so the provider is asked if it could
 * compute some of them.
 */
export async function settleData(subject: Subject, value: CtyValue): Promise<CtyValue> {
  const { block } = subject.schema;
  const lean = candidate(block, value, NOTHING_TAKEN);
  const { chosen, left } = choicesOf(block, value);
  const { id } = block.attributes;
  const isFoundById = id?.optional === true && id.computed === true && typeof memberOf(value, "id") === "string";
  const names = [...(isFoundById ? ["id"] : []), ...chosen, ...left].filter(
    (name) => !block.attributes[name]?.sensitive,
  );
  if (names.length === 0 || (await finds(subject, lean, value))) return lean;
  const rank = (name: string): number => FOUND_BY.indexOf(name) + 1 || FOUND_BY.length + 1;
  const ranked = names.sort((one, other) => rank(one) - rank(other));
  for (const some of [...ranked.map((name) => [name]), chosen]) {
    const config = withMembers(lean, value, some);
    if (await finds(subject, config, value)) return config;
  }
  return isFoundById ? withMembers(lean, value, ["id"]) : lean;
}

function withMembers(config: CtyValue, value: CtyValue, names: readonly string[]): CtyValue {
  const members = Object.keys(Object(config)).map((name): [string, CtyValue] => {
    return [name, memberOf(names.includes(name) ? value : config, name)];
  });
  return recordOf(members);
}

/** True if the provider finds the object. It may have changed since it was recorded, but its id has not. */
async function finds({ client, schema, typeName, signal, ...answering }: Subject, config: CtyValue, value: CtyValue) {
  const type = impliedType(schema.block);
  const given = { type, value: config };
  try {
    checkDiagnostics(answering, (await client.validateDataSource(typeName, given, signal)).diagnostics);
    const answer = await client.readDataSource(typeName, given, signal);
    checkDiagnostics(answering, answer.diagnostics, answer.value);
    const id = memberOf(value, "id");
    return typeof id === "string" ? memberOf(answer.value, "id") === id : isEqual(type, answer.value, value);
  } catch (error) {
    if (isEngineError(error) && !isOfEnd(error, client)) return false;
    throw error;
  }
}
