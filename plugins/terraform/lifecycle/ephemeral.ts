/** Values that a provider opens for one run, and that are never recorded: tokens, passwords, tunnels. */
import { EngineError, unknownValue } from "../../../core/base/index.js";
import { isWhollyKnown } from "../cty/index.js";
import type { ProviderClient } from "../protocol/index.js";
import { configOf, impliedType, type Schema } from "../schema/index.js";
import { sealedProps, secretsGiven } from "../sensitive/index.js";
import { connect, type OpenProvider, type Surroundings } from "./connections.js";
import { checkDiagnostics } from "./diagnostics.js";
import { refusedProps } from "./given.js";
import { configuredAs } from "./provider-config.js";
import { resolved, toOutput, unwrapped } from "./values.js";

export interface Ephemeral {
  /** Kind for messages. */
  readonly kind: string;
  readonly typeName: string;
  readonly schema: Schema;
  readonly open: OpenProvider;
}

/** Opens a value until the run ends. @throws EngineError `INVALID_PROPS`, `PROVIDER_REFUSED` */
export async function openEphemeral(
  { kind, typeName, schema, open }: Ephemeral,
  key: string,
  props: unknown,
  surroundings: Surroundings,
): Promise<unknown> {
  const configured = await configuredAs(surroundings, key);
  const all = sealedProps(schema.block, await resolved(props));
  const config = configOf(schema.block, unwrapped(all));
  if (config.problems.length > 0) throw refusedProps(kind, config.problems);
  if (!configured || !isWhollyKnown(config.value)) return unknownValue(kind);
  const client = await connect(open, key, configured, surroundings);
  const answering = { provider: configured.name, level: schema.block, log: surroundings.log };
  const given = { type: impliedType(schema.block), value: config.value };
  const { signal } = surroundings;
  checkDiagnostics(answering, (await client.validateEphemeral(typeName, given, signal)).diagnostics);
  const opened = await client.openEphemeral(typeName, given, signal);
  checkDiagnostics(answering, opened.diagnostics, opened.value);
  surroundings.onCleanup(keepOpen(client, typeName, opened, surroundings));
  return toOutput(schema.block, opened.value, {
    fqn: kind,
    secrets: secretsGiven({ props: all, ...(configured.secrets && { configured: configured.secrets }) }),
  });
}

/** Maximum milliseconds of a timer. */
const LONGEST = 2 ** 31 - 1;

/** Renews the value in time. Returns a function that closes it. */
function keepOpen(
  client: ProviderClient,
  typeName: string,
  opened: { readonly private: Uint8Array; readonly renewAt?: Date },
  { log }: Surroundings,
): () => Promise<void> {
  let current = opened.private;
  let timer: NodeJS.Timeout | undefined;
  const plan = (at: Date | undefined): void => {
    if (!at) return;
    const wait = at.getTime() - Date.now();
    timer = setTimeout(wait > LONGEST ? () => plan(at) : renew, Math.min(Math.max(0, wait), LONGEST));
    timer.unref();
  };
  const renew = (): void => {
    client.renewEphemeral(typeName, current).then(
      (renewed) => {
        const failed = renewed.diagnostics.find(({ severity }) => severity === "error");
        if (failed) return log(`warning: ${typeName} was not renewed: ${failed.summary}`);
        current = renewed.private;
        plan(renewed.renewAt);
      },
      (error) =>
        log(`warning: ${typeName} was not renewed: ${error instanceof EngineError ? error.message : String(error)}`),
    );
  };
  plan(opened.renewAt);
  return async () => {
    clearTimeout(timer);
    await client.closeEphemeral(typeName, current);
  };
}
