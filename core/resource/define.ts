import { EngineError, processWide } from "../base/index.js";
import { propPath } from "../codec/index.js";
import {
  type Context,
  currentScope,
  type DefinedHandlers,
  type Definition,
  type Handler,
  type HandlerCall,
  type HandlersDefinition,
  type LocalHandlers,
  type ResourceOptions,
  type ResourceType,
} from "../contract/index.js";
import { appOf } from "../run/index.js";
import { misspeltMember, unfitMember } from "./member-rules.js";

const NO_OPTIONS: ResourceOptions = Object.freeze({});

/**
 * Refuses a function whose `this` is not declared, e.g. an arrow function. If the type arguments for output and props
 * are given, nothing is inferred, not even from the kind, and any function fits: then only the run time can detect it.
 */
type KnowsThis<This, Kind> = Kind extends ""
  ? unknown
  : unknown extends This
    ? "Declare its `this`: async function (this: Context<Output, Props>, id: string, props: Props) { … }. An arrow function has none."
    : unknown;

/**
 * Defines a resource type, as an object of handlers or as one function.
 *
 * @param kind its name, unique in the process, e.g. `"fs:File"`
 * @throws EngineError `KIND_CONFLICT`, `INVALID_DEFINITION`
 *
 * @example
 * ```ts
 * const Queue = Resource("demo:Queue", {
 *   create: ({ props, physicalName }: CreateContext<{ size: number }>) => api.createQueue(physicalName, props.size),
 *   update: ({ props, output }) => api.resizeQueue(output.id, props.size),
 *   delete: ({ output }) => api.deleteQueue(output.id),
 * });
 * const orders = await Queue("orders", { size: 10 });
 * ```
 *
 * @example
 * ```ts
 * type Props = { text: string };
 * const Note = Resource("demo:Note", async function (this: Context<{ path: string }>, id: string, props: Props) {
 *   if (this.phase === "delete") {
 *     await rm(this.output.path, { force: true });
 *     return this.destroy();
 *   }
 *   const path = `${id}.txt`;
 *   await writeFile(path, props.text);
 *   return { path };
 * });
 * ```
 */
export function Resource<Output, Props, In = Props, This = unknown, Kind extends string = "">(
  kind: string | Kind,
  definition:
    | (Handler<Output, Props, This & Context<Output, Props>> & KnowsThis<This, Kind>)
    | HandlersDefinition<Output, Props, In>,
): ResourceType<Output, In>;

// One signature for both forms: an error in one is reported in its own words, not in those of another.
export function Resource(kind: unknown, given: unknown, ...more: readonly unknown[]): unknown {
  if (typeof kind !== "string" || kind === "") {
    throw new EngineError("INVALID_DEFINITION", 'A resource type needs a kind, such as "fs:File".');
  }
  if (more.length > 0) {
    throw invalid(
      `Resource type "${kind}" was given more than its handlers. Pass options with each declaration, after its props: Type("id", props, { alwaysUpdate: true }).`,
    );
  }
  const definition = define(kind, given);
  register(definition);
  const declare = (id: string, props: unknown = {}, options: ResourceOptions = NO_OPTIONS): unknown => {
    const scope = currentScope();
    return appOf(scope).declare({ scope, definition, id, props, options, called: declare });
  };
  return Object.defineProperties(declare, { kind: { value: kind }, name: { value: kind } });
}

function define(kind: string, given: unknown): Definition {
  if (isFunction(given)) return fromFunction(kind, given);
  if (isHandlers(given)) return fromHandlers(kind, given);
  throw new EngineError(
    "INVALID_DEFINITION",
    `Resource type "${kind}" needs a handler function, or an object with at least a create function.`,
  );
}

/** The function form gets the previous props in `this.props`, and the declared ones as its argument. */
function fromFunction(kind: string, handler: (...args: never[]) => unknown): Definition {
  if (ARROW.test(handler.toString())) {
    throw invalid(
      `Resource type "${kind}" was given an arrow function, which has no \`this\` and so cannot know its phase. Write: async function (this: Context<Output, Props>, id: string, props: Props) { … }`,
    );
  }
  const call = (made: HandlerCall): unknown => Reflect.apply(handler, made.view(made.previous), [made.id, made.props]);
  const handlers: DefinedHandlers = { create: call, update: call, delete: call };
  return {
    kind,
    source: handler.toString(),
    replaceOn: [],
    idempotent: false,
    verify: false,
    readLag: 0,
    recognizesOwn: false,
    isShortForm: true,
    hasLocal: false,
    handlers: () => handlers,
  };
}

function fromHandlers(kind: string, given: HandlersDefinition<unknown, Record<string, unknown>>): Definition {
  refuseSlips(kind, given);
  const {
    schema,
    replaceOn = [],
    idempotent = false,
    verify = false,
    readLag = 0,
    recognizesOwn = false,
    refersByMember = false,
    destroysAfterProgram = false,
    givesSecrets = false,
    local,
  } = given;
  if (local !== undefined && !isHandlers(local)) {
    throw invalid(
      `Resource type "${kind}" needs a create function in its member "local": a local scope uses only the handlers in "local".`,
    );
  }
  if (local) refuseSlips(kind, local);
  if (readLag > 0 && !given.read)
    throw invalid(`Resource type "${kind}" has readLag, which needs a read handler. Add read, or remove readLag.`);
  if (verify && !given.read)
    throw invalid(`Resource type "${kind}" has verify, which needs a read handler. Add read, or remove verify.`);
  if (verify && local && !local.read)
    throw invalid(
      `Resource type "${kind}" has verify, which needs a read handler in local, too. Add local.read, or remove verify.`,
    );
  if (recognizesOwn && !given.read)
    throw invalid(
      `Resource type "${kind}" has recognizesOwn, which needs a read handler. Add read, or remove recognizesOwn.`,
    );
  const remote = bind(given);
  const simulated = local ? bind(local) : remote;
  return {
    kind,
    source: [
      ...texts(given),
      ...texts(local),
      JSON.stringify([replaceOn, idempotent, verify, readLag, recognizesOwn]),
      String(givesSecrets),
      String(given.movesFrom),
    ].join("\n"),
    schema,
    replaceOn: replaceOn.map(propPath),
    idempotent,
    verify,
    readLag,
    recognizesOwn,
    refersByMember,
    destroysAfterProgram,
    givesSecrets: (props) =>
      typeof givesSecrets === "function" ? Reflect.apply(givesSecrets, given, [{ props }]) : givesSecrets,
    movesFrom: (from) => given.movesFrom?.(from) === true,
    isShortForm: false,
    hasLocal: local !== undefined,
    handlers: (isLocal) => (isLocal ? simulated : remote),
  };
}

function refuseSlips(kind: string, given: object): void {
  const unfit = unfitMember(given);
  if (unfit !== undefined) throw invalid(`Resource type "${kind}": ${unfit}.`);
  const slip = misspeltMember(given);
  if (!slip) return;
  const [name, meant] = slip;
  throw invalid(
    `Resource type "${kind}" has a member "${name}" but no "${meant}". Rename "${name}" to "${meant}", or, if it is a member of your own, to a less similar name.`,
  );
}

/** Matches the text of an arrow function, whose parameters come first. */
const ARROW = /^(?:async\b\s*)?(?:\(|[\w$\u0080-\uffff]+\s*=>)/;

function invalid(message: string): EngineError {
  return new EngineError("INVALID_DEFINITION", message);
}

function texts<Output, Props>(handlers: LocalHandlers<Output, Props> | undefined): readonly string[] {
  const { create, read, update, delete: remove, plan, outputs, replaces, describeDelete } = handlers ?? {};
  return [create, read, update, remove, plan, outputs, replaces, describeDelete].map(String);
}

/** Each handler keeps its object as `this`, and gets the context with the declared props. */
function bind<Output, Props>(handlers: LocalHandlers<Output, Props>): DefinedHandlers {
  const bound = (handler: ((context: never) => unknown) | undefined) =>
    handler && ((call: HandlerCall): unknown => Reflect.apply(handler, handlers, [call.view(call.props)]));
  const { create, read, update, plan, outputs, replaces, describeDelete } = handlers;
  return {
    create: (call) => Reflect.apply(create, handlers, [call.view(call.props)]),
    read: bound(read),
    update: bound(update),
    delete: bound(handlers.delete),
    plan: bound(plan),
    outputs:
      outputs &&
      (({ props, output, physicalName }) => Reflect.apply(outputs, handlers, [{ props, output, physicalName }])),
    replaces: replaces && (({ props, output }) => Reflect.apply(replaces, handlers, [{ props, output }])),
    describeDelete:
      describeDelete && (({ props, output }) => Reflect.apply(describeDelete, handlers, [{ props, output }])),
  };
}

function isFunction(given: unknown): given is (...args: never[]) => unknown {
  return typeof given === "function";
}

function isHandlers(given: unknown): given is HandlersDefinition<unknown, Record<string, unknown>> {
  return typeof given === "object" && given !== null && "create" in given && typeof given.create === "function";
}

const kinds = processWide("kinds@1", () => new Map<string, Definition>());

/**
 * Registers a definition. Equal handlers are accepted again: several copies of a package, or a reloaded module.
 *
 * @throws EngineError `KIND_CONFLICT` if the kind has other handlers
 */
function register(definition: Definition): void {
  const existing = kinds.get(definition.kind);
  if (existing && existing.source !== definition.source) {
    throw new EngineError(
      "KIND_CONFLICT",
      `The kind "${definition.kind}" is defined twice, with different handlers. Give one of the two types another kind.`,
    );
  }
  kinds.set(definition.kind, definition);
}

/** Returns the definition of a kind; all copies of the package in the process share them. */
export function definitionOf(kind: string): Definition | undefined {
  return kinds.get(kind);
}
