/** A data source of a provider, as a type of the engine: it is looked up in each run, and recorded for what depends on it. */
import type { Forecast, HandlerBase, ResourceType } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { type CtyValue, isWhollyKnown } from "../cty/index.js";
import { impliedType } from "../schema/index.js";
import type { Subject } from "./change.js";
import { checkDiagnostics } from "./diagnostics.js";
import { givesSecrets } from "./gives-secrets.js";
import {
  declaredConfig,
  knownSubject,
  type Managed,
  type ManagedOutput,
  type ManagedProps,
  subjectOf,
} from "./subject.js";
import { toOutput } from "./values.js";

type Context = HandlerBase & { readonly props: ManagedProps };

export function dataSourceType(managed: Managed): ResourceType<ManagedOutput, ManagedProps> {
  const { kind, schema } = managed;
  const look = async (context: Context): Promise<ManagedOutput> => {
    const subject = await knownSubject(managed, context);
    return await lookUp(subject, declaredConfig(managed, subject, context), context);
  };
  return Resource<ManagedOutput, ManagedProps>(kind, {
    create: look,
    read: look,
    update: look,
    idempotent: true,
    verify: true,
    plan: (context) => forecast(managed, context),
    givesSecrets: ({ props }) => schema !== undefined && givesSecrets(schema.block, props),
  });
}

/** What a plan may know it looks up, too. */
async function forecast(managed: Managed, context: Context): Promise<Forecast<ManagedOutput>> {
  const subject = await subjectOf(managed, context);
  if (!subject) return {};
  const config = declaredConfig(managed, subject, context);
  return isWhollyKnown(config) ? { outputs: await lookUp(subject, config, context) } : {};
}

async function lookUp(subject: Subject, config: CtyValue, { fqn }: Context): Promise<ManagedOutput> {
  const { client, schema, typeName, signal } = subject;
  const given = { type: impliedType(schema.block), value: config };
  checkDiagnostics(subject, (await client.validateDataSource(typeName, given, signal)).diagnostics);
  const answer = await client.readDataSource(typeName, given, signal);
  checkDiagnostics(subject, answer.diagnostics);
  return Object(toOutput(schema.block, answer.value, fqn));
}
