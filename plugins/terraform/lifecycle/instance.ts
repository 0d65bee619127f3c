/** One configuration of a provider in a program: an object with a function for each type. */

import { EngineError, typeName, unknownValue } from "../../../core/base/index.js";
import {
  currentScope,
  keyIn,
  type PendingResource,
  type ResourceOptions,
  type ResourceType,
  type Scope,
} from "../../../core/contract/index.js";
import { appOf } from "../../../core/run/index.js";
import { counted } from "../../internal/text/counted.js";
import { isWhollyKnown } from "../cty/index.js";
import type { DefinedType, ProviderDefinition, ProviderOptions } from "../generate/index.js";
import {
  apart,
  type FunctionParameter,
  givenValue,
  type PropProblem,
  type ProviderFunction,
  type Schema,
  undefinedProps,
  valueForProgram,
} from "../schema/index.js";
import { refuseShown, sealed, secretsGiven, withStatedSecrets } from "../sensitive/index.js";
import { connect, type OpenProvider, type Surroundings } from "./connections.js";
import { dataSourceType } from "./data-source.js";
import { openEphemeral } from "./ephemeral.js";
import { refusedProps, remember, VERSION } from "./given.js";
import { managedType, type ProviderResourceOptions } from "./managed.js";
import { configurationType, describeProvider, rememberDeclared } from "./provider-config.js";
import { sourceName } from "./source-name.js";
import type { Managed, ManagedOutput, ManagedProps } from "./subject.js";
import { resolved, unwrapped } from "./values.js";

type Declare = (id: string, props?: Readonly<Record<string, unknown>>, options?: ProviderResourceOptions) => unknown;

/** Options of any configuration. */
interface AnyOptions extends Pick<ProviderOptions, "env" | "id"> {
  readonly show?: readonly string[];
}

/** The types and functions of one provider, without a configuration. */
export class Offering {
  readonly #definition: ProviderDefinition;
  readonly #open: OpenProvider;
  readonly #types = new Map<string, ResourceType<ManagedOutput, ManagedProps>>();
  readonly #schemas = new Map<string, Schema>();

  constructor(definition: ProviderDefinition, open: OpenProvider) {
    this.#definition = definition;
    this.#open = open;
  }

  configured(config: unknown, { env, id, show = [] }: AnyOptions): object {
    const { source, capabilities, resources, dataSources, ephemeral, functions } = this.#definition;
    const { schemaOptional } = capabilities;
    const schema = this.#schema("config", this.#definition.config);
    refuseShown(show, schema.block, env ?? {});
    describeProvider(source, { schema, schemaOptional });
    const name = id ?? source.slice(source.lastIndexOf("/") + 1);
    const scope = currentScope();
    const key = [...scope.chain.slice(2), name].join("/");
    const shown = show.length === 0 ? {} : { show: [...show].sort() };
    const props = { source, key, config, ...(env && { env }), ...shown };
    rememberDeclared(scope, props);
    const declared = configurationType(this.#open, scope)(name, props);
    const each = <Of, Made>(of: Readonly<Record<string, Of>>, make: (one: Of, name: string) => Made) =>
      Object.fromEntries(Object.entries(of).map(([known, one]) => [known, make(one, known)]));
    return {
      ...each(resources, (one, called) => this.#declares("resources", one, called, key, declared)),
      data: each(dataSources, (one, called) => this.#declares("dataSources", one, called, key, declared)),
      ephemeral: each(ephemeral, (one, called) => async (_id: string, props: unknown = {}) => {
        const surroundings = here();
        await declared;
        const kind = `${sourceName(source)}:ephemeral.${called}`;
        const schema = this.#schema(kind, one.schema);
        return await openEphemeral({ kind, typeName: one.type, schema, open: this.#open }, key, props, surroundings);
      }),
      functions: each(functions, ({ name: own, signature }) => (...args: readonly unknown[]) => {
        const of = { source, name: own, signature: JSON.parse(signature), schemaOptional, open: this.#open };
        return callFunction(of, args, here());
      }),
    };
  }

  #declares(
    group: Managed["group"],
    { type: typeName, schema: text }: DefinedType,
    called: string,
    key: string,
    provider: PendingResource<unknown>,
  ): Declare {
    const { source } = this.#definition;
    const kind = `${sourceName(source)}:${group === "resources" ? "" : "data."}${called}`;
    return (id, props = {}, { importId, createIfMissing, createBeforeDestroy, ...options } = {}) => {
      const schema = this.#schema(kind, text);
      const { recorded, writeOnly } = setApart(kind, schema, props);
      const scope = currentScope();
      remember(scope, id, {
        writeOnly,
        undefinedProps: undefinedProps(schema.block, props),
        ...(importId === undefined ? {} : { importId, isRecorded: isRecorded(scope, id) }),
        ...(createIfMissing === undefined ? {} : { createIfMissing }),
        ...(createBeforeDestroy === undefined ? {} : { createBeforeDestroy }),
      });
      const type = this.#type({ kind, group, called, typeName, schema, open: this.#open });
      const dependsOn = [...(options.dependsOn ?? []), provider];
      const version = `${this.#definition.version}/${schema.version}`;
      const all = { ...recorded, ...(marksVersion(group, options) && { [VERSION]: version }), provider: key };
      return type(id, all, { ...options, dependsOn });
    };
  }

  #type(managed: Managed): ResourceType<ManagedOutput, ManagedProps> {
    const known = this.#types.get(managed.kind);
    if (known) return known;
    const made = managed.group === "resources" ? managedType(managed) : dataSourceType(managed);
    this.#types.set(managed.kind, made);
    return made;
  }

  #schema(name: string, text: string): Schema {
    const known = this.#schemas.get(name);
    if (known) return known;
    const schema: Schema = JSON.parse(text);
    this.#schemas.set(name, schema);
    return schema;
  }
}

/** True for a record other than an unfinished create. */
function isRecorded(scope: Scope, id: string): boolean {
  const host = appOf(scope);
  const record = host.isReady ? host.ledger.contents.at(keyIn(scope, id)) : undefined;
  return record !== undefined && record.status !== "creating";
}

/**
 * False if any changed prop replaces the resource: a new version must not. Data sources are looked up in each run
 * anyway.
 */
function marksVersion(group: Managed["group"], { replaceOnChanges = [] }: ResourceOptions): boolean {
  return group === "resources" && !replaceOnChanges.some((path) => /^\/?\*/.test(path));
}

/** Separates write-only props from recorded ones. */
function setApart(kind: string, schema: Schema, props: Readonly<Record<string, unknown>>) {
  if (typeof props !== "object" || props === null) {
    throw new EngineError("INVALID_PROPS", `${kind}: the props must be an object, not ${typeName(props)}.`);
  }
  if ("provider" in props) {
    throw new EngineError(
      "INVALID_PROPS",
      `${kind}: "provider" is not a prop. Remove it, and call the method of the provider that you want.`,
    );
  }
  const { recorded, written } = apart(schema.block, withStatedSecrets(schema.block, props));
  return { recorded: Object(recorded), writeOnly: written };
}

/** Returns the context of a call that is not a resource. */
function here(): Surroundings {
  const scope = currentScope();
  const { events, redact } = appOf(scope);
  return {
    scope,
    signal: scope.signal,
    onCleanup: (fn) => scope.onCleanup(fn),
    log: (message) => events.emit("warning", { code: "PROVIDER_REFUSED", message: message.replace(/^warning: /, "") }),
    redact,
  };
}

/** A function of a provider. It runs in a separate process without configuration. */
interface OfferedFunction {
  readonly source: string;
  /** The provider's name of the function. */
  readonly name: string;
  readonly signature: ProviderFunction;
  readonly schemaOptional: boolean;
  readonly open: OpenProvider;
}

/**
 * Calls a function. The result is a secret if an argument is one. @throws EngineError `INVALID_CALL`, `INVALID_PROPS`,
 * `PROVIDER_REFUSED`
 */
async function callFunction(
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
        `${what} takes ${counted(signature.parameters.length, "argument")}, not ${args.length}.`,
      );
    const place = { path: [parameter.name || `argument ${index + 1}`], problems };
    return { type: parameter.type, value: givenValue(parameter.type, value, place) };
  });
  if (values.length < signature.parameters.length) {
    throw new EngineError(
      "INVALID_CALL",
      `${what} takes ${signature.variadic ? "at least " : ""}${counted(signature.parameters.length, "argument")}, not ${args.length}.`,
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
