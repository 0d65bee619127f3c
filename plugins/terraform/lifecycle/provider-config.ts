/** Provider configuration as a resource: recorded, so that its resources can be deleted without the program. */
import { EngineError } from "../../../core/base/index.js";
import {
  folderOf,
  type HandlerBase,
  type PlanContext,
  type ResourceType,
  type Scope,
} from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { appOf } from "../../../core/run/index.js";
import { scopeAt } from "../../../core/scope/index.js";
import { hasKeyFor, textsIn } from "../../secrets/password.js";
import type { Schema } from "../schema/index.js";
import {
  type ConfigProps,
  checkConfig,
  holdsUnknown,
  maskConfig,
  recordedConfig,
  schemaThat,
  sealedProps,
  secretTextsIn,
} from "../sensitive/index.js";
import { type Configured, connect, disconnect, type OpenProvider, type Surroundings } from "./connections.js";
import { sourceName } from "./source-name.js";
import { resolved } from "./values.js";

export interface ProviderProps extends ConfigProps {
  readonly source: string;
  /** Its place in the stage. Other resources refer to the configuration by this key. */
  readonly key: string;
}

export const PROVIDER_KIND = "terraform:Provider";

interface Described {
  /** Schema of the configuration. */
  readonly schema: Schema;
  readonly schemaOptional: boolean;
}

const described = new Map<string, Described>();
/**
 * Configurations that the program of this run declares, by key. Each function resolves the inputs if nothing else does.
 */
const declared = new WeakMap<Scope, Map<string, () => Promise<ProviderProps | undefined>>>();
/**
 * The same configurations, resolved. A plan records none of them, and a run without a key records none of their values.
 */
const present = new WeakMap<Scope, Map<string, ProviderProps>>();

const dataKey = (key: string): string => `terraform:provider:${key}`;

/** Returns the scope of a configuration, whose password or key seals the record. */
function ownerOf(root: Scope, key: string): Scope {
  const host = appOf(root);
  const folder = folderOf(key);
  return host.run.aliases.scopesByFormerPath.get(folder) ?? scopeAt(host, folder);
}

/** Returns all scopes that may hold a record: its data moves with its parent, and earlier versions used the root. */
function ownersOf(scope: Scope, key: string): ReadonlySet<Scope> {
  const owners = new Set([ownerOf(scope.root, key)]);
  for (let at: Scope | undefined = scope; at; at = at.parent) owners.add(at);
  return owners;
}

/** Returns the recorded configuration. @param scope of its user */
async function recordedAs(scope: Scope, key: string): Promise<ProviderProps | undefined> {
  for (const owner of ownersOf(scope, key)) {
    const there = await owner.get<ProviderProps>(dataKey(key));
    if (there) return there;
  }
  return undefined;
}

async function record(root: Scope, key: string, props: ProviderProps): Promise<void> {
  const owner = ownerOf(root, key);
  await owner.set(dataKey(key), recordedConfig(props, hasKeyFor(owner)));
  if (owner !== root) await root.delete(dataKey(key));
}

/** Moves a record that an earlier version made in the root to the scope of its configuration. */
export async function moveRecorded({ root }: Scope, key: string): Promise<void> {
  // The password of a scope that the program does not run is unknown.
  if (ownerOf(root, key) === root || !declared.get(root)?.has(key)) return;
  const there = await root.get<ProviderProps>(dataKey(key));
  if (there) await record(root, key, there);
}

/** Remembers how a program describes a provider. Other providers are asked themselves. */
export function describeProvider(source: string, as: Described): void {
  described.set(source, as);
}

/** Remembers a declared configuration. A destroy resolves it at once; if that fails, the deletes use the record. */
export function rememberDeclared({ root }: Scope, props: ProviderProps): void {
  const known = declared.get(root) ?? new Map<string, () => Promise<ProviderProps | undefined>>();
  let said: Promise<ProviderProps | undefined> | undefined;
  const resolving = (): Promise<ProviderProps | undefined> => {
    said ??= resolvedProps(props);
    return said;
  };
  if (root.phase === "destroy") void resolving();
  declared.set(root, known.set(props.key, resolving));
}

async function resolvedProps(props: ProviderProps): Promise<ProviderProps | undefined> {
  try {
    return { ...props, ...Object(await resolved({ config: props.config, env: props.env })) };
  } catch {
    return undefined;
  }
}

/** Remembers a configuration that the program declares, and returns it in the form that its scope records. */
function noted(scope: Scope, props: ProviderProps): ProviderProps {
  checkConfig(props.config);
  const known = present.get(scope.root) ?? new Map<string, ProviderProps>();
  present.set(scope.root, known.set(props.key, props));
  return recordedConfig(props, hasKeyFor(scope));
}

/** Returns the type of configurations. @param scope of the declaration; undefined for the type of a record */
export function configurationType(
  open: OpenProvider,
  scope?: Scope,
): ResourceType<{ readonly source: string }, ProviderProps> {
  const apply = async (context: HandlerBase & { readonly props: ProviderProps }) => {
    const { root } = context.scope;
    const { key, source, withheld } = context.props;
    const props = present.get(root)?.get(key) ?? context.props;
    // No call with the old configuration is running, because users of the provider depend on this resource.
    await disconnect(root, key);
    await connect(open, key, configured(props), context);
    await record(root, key, props);
    if (withheld)
      context.log(
        `The engine did not record these values of the provider's configuration, because it has no password or key to encrypt them: ${withheld.join(", ")}. Without them, a destroy needs the program. To record them, set ENGINE_PASSWORD or ENGINE_KEY.`,
      );
    return { source };
  };
  return Resource<{ readonly source: string }, ProviderProps>(PROVIDER_KIND, {
    create: apply,
    update: apply,
    // It creates only its record, so a refused configuration does not resume with its old props.
    read: async ({ scope, previous, output }) => {
      if (output) return output;
      return (await recordedAs(scope, previous.key)) === undefined ? undefined : { source: previous.source };
    },
    recognizesOwn: true,
    ...(scope && schemaThat<ProviderProps>((props) => noted(scope, Object(props)))),
    // Deletes need the present configuration of the program: the recorded password may be an old one.
    destroysAfterProgram: true,
    delete: async ({ scope, props: { key } }) => {
      await disconnect(scope.root, key);
      for (const owner of ownersOf(scope, key)) await owner.delete(dataKey(key));
    },
    plan: async (context: PlanContext<{ readonly source: string }, ProviderProps>) => {
      const { root } = context.scope;
      const { key, source } = context.props;
      const props = present.get(root)?.get(key) ?? context.props;
      if (context.previous) maskConfig(context.previous);
      await disconnect(root, key);
      if (!holdsUnknown([props.config, props.env])) await connect(open, key, configured(props), context);
      return { outputs: { source } };
    },
  });
}

/** Undefined if the configuration is not known before the run. @throws EngineError `PROVIDER_MISSING` */
export async function configuredAs({ scope }: Surroundings, key: string): Promise<Configured | undefined> {
  const { root } = scope;
  const resolving = declared.get(root)?.get(key);
  const said = root.phase === "destroy" ? await resolving?.() : undefined;
  const known = said && !holdsUnknown([said.config, said.env]) ? said : present.get(root)?.get(key);
  const recorded = known ? undefined : await recordedAs(scope, key);
  const props = known ?? (recorded && !recorded.withheld ? recorded : await resolving?.());
  if (!props) throw notRecorded(key, recorded?.withheld);
  if (holdsUnknown([props.config, props.env])) return undefined;
  return { ...configured(props), isUndeclared: resolving === undefined };
}

function notRecorded(key: string, withheld: readonly string[] | undefined): EngineError {
  const what = `The configuration of the provider "${key}" is not recorded`;
  const advice = withheld
    ? `, because the engine had no password or key to encrypt ${withheld.join(", ")}. Run the program that declares this provider. To check for drift, run "engine plan --refresh".`
    : ". Declare the provider again, and run again.";
  return new EngineError("PROVIDER_MISSING", what + advice);
}

function configured(props: ProviderProps): Configured {
  const { source, config, env = {} } = props;
  // An earlier version may have recorded the values in the clear.
  maskConfig(props);
  const known = described.get(source);
  return { source, name: sourceName(source), config, env, secrets: secretsOf(props), ...known };
}

/** Returns secret texts that the provider may return. A text in a shown value is not a secret. */
function secretsOf({ source, config, env, show = [] }: ProviderProps): readonly string[] {
  const block = described.get(source)?.schema.block;
  const shown = textsIn(show.map((name) => Reflect.get(Object(config), name)));
  const hidden = secretTextsIn([block ? sealedProps(block, config) : config, env]);
  return hidden.filter((text) => !shown.some((one) => one.includes(text)));
}
