/** A provider's configuration, as a resource: what it says is recorded, so that what was made with it can be deleted without the program. */
import { EngineError, isUnknown } from "../../../core/base/index.js";
import type { HandlerBase, PlanContext, ResourceType, Scope } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import type { Schema } from "../schema/index.js";
import { type Configured, connect, disconnect, type OpenProvider, type Surroundings } from "./connections.js";
import { resolved } from "./program-values.js";
import { sourceName } from "./source-name.js";

export interface ProviderProps {
  readonly source: string;
  /** Where it is in the stage: other resources are told of it by this. */
  readonly key: string;
  readonly config: unknown;
  /** Added to the environment of its process. */
  readonly env?: Readonly<Record<string, unknown>>;
}

export const PROVIDER_KIND = "terraform:Provider";

interface Described {
  /** Of its configuration. */
  readonly schema: Schema;
  readonly schemaOptional: boolean;
}

const described = new Map<string, Described>();
/** Configurations that the program of this run declares, by key. A destroy does not record them, and deletes by them. */
const declared = new WeakMap<Scope, Map<string, Promise<ProviderProps | undefined>>>();
/** In a plan nothing is recorded, and what is declared there is known to this process alone. */
const planned = new WeakMap<Scope, Map<string, ProviderProps>>();

const dataKey = (key: string): string => `terraform:provider:${key}`;

/** Remembers how a program describes a provider. Of others, the provider is asked. */
export function describeProvider(source: string, as: Described): void {
  described.set(source, as);
}

/** Remembers what a program says. In a destroy it is resolved; if that fails, the deletes go by what is recorded. */
export function rememberDeclared({ root }: Scope, props: ProviderProps): void {
  const known = declared.get(root) ?? new Map<string, Promise<ProviderProps | undefined>>();
  const said = root.phase === "destroy" ? resolvedProps(props) : Promise.resolve(undefined);
  declared.set(root, known.set(props.key, said));
}

async function resolvedProps(props: ProviderProps): Promise<ProviderProps | undefined> {
  try {
    return { ...props, ...Object(await resolved({ config: props.config, env: props.env })) };
  } catch {
    return undefined;
  }
}

export function configurationType(open: OpenProvider): ResourceType<{ readonly source: string }, ProviderProps> {
  const apply = async (context: HandlerBase & { readonly props: ProviderProps }) => {
    const { root } = context.scope;
    const { props } = context;
    // Whatever runs by the old one has ended: others depend on this.
    await disconnect(root, props.key);
    await connect(open, props.key, configured(props), context);
    await root.set(dataKey(props.key), props);
    return { source: props.source };
  };
  return Resource<{ readonly source: string }, ProviderProps>(PROVIDER_KIND, {
    create: apply,
    update: apply,
    // All that it makes is what is recorded of it: one that was refused is not begun again as it was.
    read: async ({ scope: { root }, previous, output }) => {
      if (output) return output;
      return (await root.get(dataKey(previous.key))) === undefined ? undefined : { source: previous.source };
    },
    recognizesOwn: true,
    // By the configuration that the program has now: the recorded password may be an old one.
    destroysAfterProgram: true,
    delete: async ({ scope: { root }, props: { key } }) => {
      await disconnect(root, key);
      await root.delete(dataKey(key));
    },
    plan: async (context: PlanContext<{ readonly source: string }, ProviderProps>) => {
      const { props, scope } = context;
      const known = planned.get(scope.root) ?? new Map<string, ProviderProps>();
      planned.set(scope.root, known.set(props.key, props));
      await disconnect(scope.root, props.key);
      if (!holdsUnknown([props.config, props.env])) await connect(open, props.key, configured(props), context);
      return { outputs: { source: props.source } };
    },
  });
}

/** Undefined where its configuration is not known before the run. @throws EngineError `PROVIDER_MISSING` */
export async function configuredAs({ scope }: Surroundings, key: string): Promise<Configured | undefined> {
  const { root } = scope;
  const isUndeclared = declared.get(root)?.has(key) !== true;
  const said = await declared.get(root)?.get(key);
  const known = said && !holdsUnknown([said.config, said.env]) ? said : planned.get(root)?.get(key);
  const props = known ?? (await root.get<ProviderProps>(dataKey(key)));
  if (!props) {
    const message = `The configuration of the provider "${key}" is not recorded. Declare it again, and run again.`;
    throw new EngineError("PROVIDER_MISSING", message);
  }
  if (holdsUnknown([props.config, props.env])) return undefined;
  return { ...configured(props), isUndeclared };
}

function configured({ source, config, env = {} }: ProviderProps): Configured {
  return { source, name: sourceName(source), config, env, ...described.get(source) };
}

function holdsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsUnknown);
}
