/** Data source of a provider as an engine type: looked up in each run, recorded for its dependents. */
import type { Forecast, HandlerBase, PlanContext, ResourceType } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { type CtyValue, isWhollyKnown } from "../cty/index.js";
import { impliedType, proposedData } from "../schema/index.js";
import { sealing } from "../sensitive/index.js";
import { checkDiagnostics, type Subject } from "./diagnostics.js";
import { secretsFor } from "./given.js";
import { PROVIDER_KIND } from "./provider-config.js";
import {
  declaredConfig,
  knownSubject,
  type Managed,
  type ManagedOutput,
  type ManagedProps,
  subjectOf,
} from "./subject.js";
import { givesSecrets } from "./unsealable.js";
import { knownOutput, type OutputOf, toOutput } from "./values.js";

type Context = HandlerBase & { readonly props: ManagedProps };

export function dataSourceType(managed: Managed): ResourceType<ManagedOutput, ManagedProps> {
  const { kind, schema } = managed;
  const look = async (context: Context): Promise<ManagedOutput> => {
    const subject = await knownSubject(managed, context);
    return await lookUp(subject, declaredConfig(managed, subject, context), context);
  };
  return Resource<ManagedOutput, ManagedProps>(kind, {
    create: look,
    // The object to look up may exist only after the program has created it.
    read: (context) => {
      if (!context.isDeclared) return context.output;
      return isChanging(context) ? soFar(managed, context) : look(context);
    },
    update: look,
    idempotent: true,
    // A data source creates nothing, so it cannot find a resource of another owner.
    recognizesOwn: true,
    refersByMember: true,
    ...sealing(schema?.block),
    verify: true,
    plan: (context) => forecast(managed, context),
    givesSecrets: ({ props }) => schema !== undefined && givesSecrets(schema.block, props),
  });
}

/** Looks up also in a plan, unless a dependency of the data source is about to change. */
async function forecast(
  managed: Managed,
  context: PlanContext<ManagedOutput, ManagedProps>,
): Promise<Forecast<ManagedOutput>> {
  const subject = await subjectOf(managed, context);
  if (!subject) return {};
  const config = declaredConfig(managed, subject, context);
  if (isWhollyKnown(config) && !isChanging(context)) return { outputs: await lookUp(subject, config, context) };
  const { block } = subject.schema;
  return { outputs: knownOutput(block, proposedData(block, config), outputOf(context, subject)) };
}

function isChanging({ changing }: Pick<PlanContext<unknown, unknown>, "changing">): boolean {
  return changing.some(({ kind }) => kind !== PROVIDER_KIND);
}

/** Returns the known part of its output before its dependencies have changed. */
async function soFar(managed: Managed, context: Context): Promise<ManagedOutput> {
  const subject = await knownSubject(managed, context);
  const { block } = subject.schema;
  const proposed = proposedData(block, declaredConfig(managed, subject, context));
  return Object(toOutput(block, proposed, outputOf(context, subject)));
}

function outputOf(context: Context, subject: Subject): OutputOf {
  return { fqn: context.fqn, secrets: secretsFor(context, subject) };
}

async function lookUp(subject: Subject, config: CtyValue, context: Context): Promise<ManagedOutput> {
  const { client, schema, typeName, signal } = subject;
  const given = { type: impliedType(schema.block), value: config };
  checkDiagnostics(subject, (await client.validateDataSource(typeName, given, signal)).diagnostics);
  const answer = await client.readDataSource(typeName, given, signal);
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  return Object(toOutput(schema.block, answer.value, outputOf(context, subject)));
}
