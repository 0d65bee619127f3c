import { EngineError } from "../errors.js";
import { currentScope } from "../scope/current.js";
import { INTERNALS } from "../scope/internals.js";
import type {
  DefinedHandlers,
  Definition,
  Handler,
  HandlerCall,
  HandlersDefinition,
  LocalHandlers,
  ResourceType,
} from "./definition.js";
import type { ResourceOptions } from "./options.js";
import { register } from "./registry.js";
import type { StandardSchema } from "./schema.js";

const NO_OPTIONS: ResourceOptions = Object.freeze({});

/**
 * Defines a resource type.
 *
 * @param kind its name, unique in the process, e.g. `"fs:File"`
 * @throws EngineError `KIND_CONFLICT`, `INVALID_DEFINITION`
 *
 * @example
 * ```ts
 * const Note = Resource("demo:Note", async function (this: Context<{ path: string }>, id: string, props: { text: string }) {
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
export function Resource<Output, Props>(kind: string, handler: Handler<Output, Props>): ResourceType<Output, Props>;
export function Resource<Output, In, Props>(
  kind: string,
  definition: HandlersDefinition<Output, Props> & { readonly schema: StandardSchema<In, Props> },
): ResourceType<Output, In>;
export function Resource<Output, Props>(
  kind: string,
  definition: HandlersDefinition<Output, Props>,
): ResourceType<Output, Props>;
export function Resource(kind: string, given: unknown): unknown {
  if (typeof kind !== "string" || kind === "") {
    throw new EngineError("INVALID_DEFINITION", 'A resource type needs a kind, such as "fs:File".');
  }
  const definition = define(kind, given);
  register(definition);
  const declare = (id: string, props: unknown = {}, options: ResourceOptions = NO_OPTIONS): unknown => {
    const scope = currentScope();
    return scope[INTERNALS].app.declare({ scope, definition, id, props, options, called: declare });
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

/** The function form sees the previous props in `this.props`, and what the program declares as its argument. */
function fromFunction(kind: string, handler: (...args: never[]) => unknown): Definition {
  const call = (made: HandlerCall): unknown => Reflect.apply(handler, made.view(made.previous), [made.id, made.props]);
  const handlers: DefinedHandlers = { create: call, update: call, delete: call };
  return {
    kind,
    source: handler.toString(),
    replaceOn: [],
    idempotent: false,
    verify: false,
    isOpaque: true,
    hasLocal: false,
    handlers: () => handlers,
  };
}

function fromHandlers(kind: string, given: HandlersDefinition<unknown, Record<string, unknown>>): Definition {
  const { schema, replaceOn = [], idempotent = false, verify = false, local } = given;
  if (local !== undefined && !isHandlers(local)) {
    throw invalid(`Resource type "${kind}" needs a create function in local: it is all that a local scope has of it.`);
  }
  if (verify && !given.read) throw invalid(`Resource type "${kind}" says verify but has no read.`);
  if (verify && local && !local.read) throw invalid(`Resource type "${kind}" says verify but has no local.read.`);
  const remote = bind(given);
  const simulated = local ? bind(local) : remote;
  return {
    kind,
    source: [...texts(given), ...texts(local), JSON.stringify([replaceOn, idempotent, verify])].join("\n"),
    schema,
    replaceOn: replaceOn.map((name) => [name]),
    idempotent,
    verify,
    isOpaque: false,
    hasLocal: local !== undefined,
    handlers: (isLocal) => (isLocal ? simulated : remote),
  };
}

function invalid(message: string): EngineError {
  return new EngineError("INVALID_DEFINITION", message);
}

function texts<Output, Props>(handlers: LocalHandlers<Output, Props> | undefined): readonly string[] {
  const { create, read, update, delete: remove, outputs, replaces } = handlers ?? {};
  return [create, read, update, remove, outputs, replaces].map(String);
}

/** Each handler keeps its object as `this`, and gets the context with the props that the program declares. */
function bind<Output, Props>(handlers: LocalHandlers<Output, Props>): DefinedHandlers {
  const bound = (handler: ((context: never) => unknown) | undefined) =>
    handler && ((call: HandlerCall): unknown => Reflect.apply(handler, handlers, [call.view(call.props)]));
  const { create, read, update, outputs, replaces } = handlers;
  return {
    create: (call) => Reflect.apply(create, handlers, [call.view(call.props)]),
    read: bound(read),
    update: bound(update),
    delete: bound(handlers.delete),
    outputs: outputs && (({ props }) => Reflect.apply(outputs, handlers, [{ props }])),
    replaces: replaces && (({ props, output }) => Reflect.apply(replaces, handlers, [{ props, output }])),
  };
}

function isFunction(given: unknown): given is (...args: never[]) => unknown {
  return typeof given === "function";
}

function isHandlers(given: unknown): given is HandlersDefinition<unknown, Record<string, unknown>> {
  return typeof given === "object" && given !== null && "create" in given && typeof given.create === "function";
}
