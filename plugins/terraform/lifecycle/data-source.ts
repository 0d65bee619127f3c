/** A data source of a provider, as a type of the engine: it is looked up in each run, and recorded for what depends on it. */
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
    // What it looks up may be there only once the program has made it.
    read: (context) => {
      if (!context.isDeclared) return context.output;
      return isChanging(context) ? soFar(managed, context) : look(context);
    },
    update: look,
    idempotent: true,
    // Nothing is made, so nothing can be another one's.
    recognizesOwn: true,
    refersByMember: true,
    ...sealing(schema?.block),
    verify: true,
    plan: (context) => forecast(managed, context),
    givesSecrets: ({ props }) => schema !== undefined && givesSecrets(schema.block, props),
  });
}

/** What a plan may know it looks up, too: not what it depends on and is about to become something else. */
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

/** What is known of it before what it depends on is as declared. */
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
