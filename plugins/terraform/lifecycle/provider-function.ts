/** A function that a provider offers, for programs. It is computed by a process of its own, which is not configured. */
import { EngineError, unknownValue } from "../../../core/base/index.js";
import { isWhollyKnown } from "../cty/index.js";
import {
  type FunctionParameter,
  givenValue,
  type PropProblem,
  type ProviderFunction,
  valueForProgram,
} from "../schema/index.js";
import { sealed, secretsGiven } from "../sensitive/index.js";
import { connect, type OpenProvider, type Surroundings } from "./connections.js";
import { resolved } from "./program-values.js";
import { refusedProps } from "./refused-props.js";
import { sourceName } from "./source-name.js";
import { unwrapped } from "./values.js";

export interface OfferedFunction {
  readonly source: string;
  /** As the provider calls it. */
  readonly name: string;
  readonly signature: ProviderFunction;
  readonly schemaOptional: boolean;
  readonly open: OpenProvider;
}

/** The result is a secret if an argument is one. @throws EngineError `INVALID_CALL`, `INVALID_PROPS`, `PROVIDER_REFUSED` */
export async function callFunction(
  of: OfferedFunction,
  args: readonly unknown[],
  surroundings: Surroundings,
): Promise<unknown> {
  const { source, name, signature, schemaOptional, open } = of;
  const provider = sourceName(source);
  const what = `${provider}: ${name}()`;
  const problems: PropProblem[] = [];
  const all = await Promise.all(args.map(resolved));
  const given = all.map(unwrapped);
  const values = given.map((value, index) => {
    const parameter = parameterAt(signature, index);
    if (!parameter)
      throw new EngineError(
        "INVALID_CALL",
        `${what} takes ${signature.parameters.length} arguments, not ${args.length}.`,
      );
    const place = { path: [parameter.name || `argument ${index + 1}`], problems };
    return { type: parameter.type, value: givenValue(parameter.type, value, place) };
  });
  if (values.length < signature.parameters.length) {
    throw new EngineError(
      "INVALID_CALL",
      `${what} takes ${signature.parameters.length} arguments, not ${args.length}.`,
    );
  }
  if (problems.length > 0) throw refusedProps(what, problems);
  if (!values.every(({ value }) => isWhollyKnown(value))) return unknownValue(what);
  const unconfigured = { source, name: provider, env: {}, schemaOptional };
  const client = await connect(open, `${source} functions`, unconfigured, surroundings);
  const result = await client.call(name, values, signature.returns, surroundings.signal);
  const value = valueForProgram(signature.returns, result, { unknown: () => unknownValue(what) });
  return secretsGiven({ props: all }).marks && value !== null ? sealed(value, name) : value;
}

function parameterAt({ parameters, variadic }: ProviderFunction, index: number): FunctionParameter | undefined {
  return parameters[index] ?? variadic;
}
