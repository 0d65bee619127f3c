/** Real resources that outlive every engine: handlers make, change and delete them, and every call is logged. */

import type { HandlerBase, HandlersDefinition, ResourceType } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";

export interface Props {
  readonly value?: unknown;
  /** A change replaces the resource if its type says so. */
  readonly name?: string;
  readonly uses?: unknown;
}

export interface Output {
  /** Name of the real resource in the world. */
  readonly thing: string;
  readonly value: unknown;
}

export interface Thing {
  readonly kind: string;
  readonly fqn: string;
  readonly uid: string;
  readonly value: unknown;
  readonly uses: unknown;
}

/** Runs before a handler's work, with its context; an output that it returns replaces the work. */
export type Behaviour = (context: Called) => Promise<Output | void> | Output | void;
export type Called = HandlerBase & { readonly phase: string; readonly props: unknown; readonly output?: unknown };

export interface TypeOptions {
  /** One function, which switches on `this.phase`. */
  readonly short?: boolean;
  readonly read?: boolean;
  readonly verify?: boolean;
  /** False: the type has none. */
  readonly update?: boolean;
  readonly delete?: boolean;
  readonly idempotent?: boolean;
  readonly replaceOn?: HandlersDefinition<Output, Props>["replaceOn"];
}

type Type = ResourceType<Output, Props>;

let kinds = 0;

/** A name that no other kind of this process has. */
export function newKind(): string {
  return `world:Thing${++kinds}`;
}

export class World {
  /** `create a`, `update a`, …, in the order in which handlers were called. */
  readonly calls: string[] = [];
  readonly things = new Map<string, Thing>();
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #endings = new Map<string, () => void>();
  #made = 0;

  /** Names of the existing resources. */
  get names(): string[] {
    return [...this.things.keys()].sort();
  }

  /** The calls since the last request. */
  news(): string[] {
    return this.calls.splice(0);
  }

  /** From now on the handlers of `call`, e.g. `create a`, run this before their work; an error fails them. */
  on(call: string, behaviour: Behaviour): void {
    this.#behaviours.set(call, behaviour);
  }

  /** From now on the handlers of `call` run this after their work. */
  after(call: string, behaviour: () => void): void {
    this.#endings.set(call, behaviour);
  }

  fails(call: string, message = `no ${call}`): void {
    this.on(call, () => {
      throw new Error(message);
    });
  }

  calm(...calls: string[]): void {
    for (const each of [this.#behaviours, this.#endings]) {
      if (calls.length === 0) each.clear();
      for (const call of calls) each.delete(call);
    }
  }

  /** A new resource type in this world. */
  type(options: TypeOptions = {}): Type {
    const kind = newKind();
    return options.short ? this.#function(kind) : Resource<Output, Props>(kind, this.#handlers(kind, options));
  }

  async #called(phase: string, context: Called): Promise<Output | void> {
    const call = `${phase} ${context.id}`;
    this.calls.push(call);
    return this.#behaviours.get(call)?.(context);
  }

  #make(kind: string, { id, fqn, uid }: HandlerBase, props: Props): Output {
    const thing = `${id}#${++this.#made}`;
    this.things.set(thing, { kind, fqn, uid, value: props.value, uses: props.uses });
    this.#endings.get(`create ${id}`)?.();
    return { thing, value: props.value };
  }

  #change({ thing }: Output, props: Props): Output {
    const before = this.things.get(thing);
    if (!before) throw new Error(`There is no ${thing}.`);
    this.things.set(thing, { ...before, value: props.value, uses: props.uses });
    return { thing, value: props.value };
  }

  #remove({ thing }: Output): void {
    this.things.delete(thing);
  }

  #find(token: string): Output | undefined {
    for (const [thing, { uid, value }] of this.things) if (uid === token) return { thing, value };
    return undefined;
  }

  #function(kind: string): Type {
    const world = this;
    return Resource<Output, Props>(kind, async function (_id, props) {
      const instead = await world.#called(this.phase, this);
      if (this.phase === "delete") {
        world.#remove(this.output);
        return this.destroy();
      }
      if (instead) return instead;
      return this.phase === "update" ? world.#change(this.output, props) : world.#make(kind, this, props);
    });
  }

  #handlers(kind: string, options: TypeOptions): HandlersDefinition<Output, Props> {
    const { replaceOn, idempotent, verify } = options;
    const definition: HandlersDefinition<Output, Props> = {
      create: async (context) => {
        const instead = await this.#called("create", context);
        return instead ?? this.#make(kind, context, context.props);
      },
      update: async (context) => {
        const instead = await this.#called("update", context);
        return instead ?? this.#change(context.output, context.props);
      },
      delete: async (context) => {
        await this.#called("delete", context);
        this.#remove(context.output);
      },
      read: async (context) => {
        const instead = await this.#called("read", context);
        return instead ?? this.#find(context.uid);
      },
      // Recognised by the uid: the name is not enough.
      ...(options.read || verify ? { recognizesOwn: true } : {}),
      ...(replaceOn ? { replaceOn } : {}),
      ...(idempotent ? { idempotent } : {}),
      ...(verify ? { verify } : {}),
    };
    if (options.update === false) delete definition.update;
    if (options.delete === false) delete definition.delete;
    if (!options.read && !verify) delete definition.read;
    return definition;
  }
}

/** Makes a create take effect without a known result. */
export function lost(world: World, call: string, message = "connection lost"): void {
  world.after(call, () => {
    throw new Error(message);
  });
}
