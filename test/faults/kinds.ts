/** Resource types of a world in files; the run determines the world. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, DeleteContext, LocalHandlers, UpdateContext } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import type { Called, FileWorld, Thing } from "./file-world.js";

export interface Props {
  readonly value?: unknown;
  /** A change replaces the resource if its type says so. */
  readonly name?: string;
}

export interface Output {
  readonly thing: string;
  readonly value: unknown;
}

/** The world of the run that a handler is called in. */
export const inWorld = new AsyncLocalStorage<FileWorld>();

function world(): FileWorld {
  const found = inWorld.getStore();
  if (!found) throw new Error("This is no run in a world.");
  return found;
}

function make(context: Called, kind: string, { value }: Props, name?: string): Promise<Output> {
  return world().call(context, kind, () => ({ thing: world().make(context, kind, value, name), value }));
}

function change(context: UpdateContext<Output, Props>, kind: string): Promise<Output> {
  const { output, props } = context;
  return world().call(context, kind, () => {
    world().change(context, kind, output.thing, props.value);
    return { thing: output.thing, value: props.value };
  });
}

function remove(context: DeleteContext<Output, Props>, kind: string): Promise<void> {
  return world().call(context, kind, () => world().remove(context, kind, context.output.thing));
}

/** The same token makes the same resource. */
export const Token = Resource<Output, Props>("faults:Token", {
  idempotent: true,
  replaceOn: ["name"],
  create: (context) => make(context, "faults:Token", context.props, context.token),
  update: (context) => change(context, "faults:Token"),
  delete: (context) => remove(context, "faults:Token"),
});

/** Each create makes one more resource, and nothing shows whether one exists. */
export const Blind = Resource<Output, Props>("faults:Blind", {
  create: (context) => make(context, "faults:Blind", context.props),
  update: (context) => change(context, "faults:Blind"),
  delete: (context) => remove(context, "faults:Blind"),
});

/** Each create makes one more resource, and read shows the existing one. */
export const Read = Resource<Output, Props>("faults:Read", {
  replaceOn: ["name"],
  create: (context) => make(context, "faults:Read", context.props),
  update: (context) => change(context, "faults:Read"),
  delete: (context) => remove(context, "faults:Read"),
  read: (context) =>
    world().call(context, "faults:Read", () => {
      const found = world().things.find(({ uid }) => uid === context.uid);
      return found && { thing: found.thing, value: found.value };
    }),
});

/** As Read, and without update: every change replaces it. */
export const Fixed = Resource<Output, Props>("faults:Fixed", {
  create: (context) => make(context, "faults:Fixed", context.props),
  delete: (context) => remove(context, "faults:Fixed"),
  read: (context) =>
    world().call(context, "faults:Fixed", () => {
      const found = world().things.find(({ uid }) => uid === context.uid);
      return found && { thing: found.thing, value: found.value };
    }),
});

function placed(where: string): LocalHandlers<Output, Props> {
  return {
    create: (context) => make(context, "faults:Dual", context.props, `${where}-${context.uid}`),
    update: (context) => change(context, "faults:Dual"),
    delete: (context) => {
      if (!context.output.thing.includes(`.${where}-`)) throw new Error(`${context.output.thing} is not ${where}`);
      return remove(context, "faults:Dual");
    },
    read: (context) =>
      world().call(context, "faults:Dual", () => {
        const found = world().things.find(({ thing }) => thing === `${context.id}.${where}-${context.uid}`);
        return found && { thing: found.thing, value: found.value };
      }),
  };
}

/** Resources of a local scope are invisible to other scopes, and the other way round. */
export const Dual = Resource<Output, Props>("faults:Dual", { ...placed("cloud"), local: placed("local") });

/** A name has one resource, even a foreign one: another create of it fails, and read finds it. */
export const Named = Resource<Output, Props>("faults:Named", {
  create: (context) =>
    world().call(context, "faults:Named", () => {
      if (named(context.id)) throw new Error(`${context.id} already exists`);
      const { value } = context.props;
      return { thing: world().make(context, "faults:Named", value, NAMED), value };
    }),
  read: (context) =>
    world().call(context, "faults:Named", () => {
      const found = named(context.id);
      return found && { thing: found.thing, value: found.value };
    }),
  update: (context) => change(context, "faults:Named"),
  delete: (context) => remove(context, "faults:Named"),
});

const NAMED = "named";

function named(id: string): Thing | undefined {
  return world().things.find(({ thing }) => thing === `${id}.${NAMED}`);
}

/**
 * One function, which switches on `this.phase`. The same token makes the same resource, though the engine does not know
 * that.
 */
export const Plain = Resource(
  "faults:Plain",
  async function (this: Context<Output, Props>, _id: string, props: Props): Promise<Output> {
    return world().call(this, "faults:Plain", () => {
      if (this.phase === "delete") {
        world().remove(this, "faults:Plain", this.output.thing);
        return this.destroy();
      }
      const { value } = props;
      if (this.phase === "create") return { thing: world().make(this, "faults:Plain", value, this.token), value };
      if (this.props.name !== props.name) return this.replace(props.name === "old first");
      world().change(this, "faults:Plain", this.output.thing, value);
      return { thing: this.output.thing, value };
    });
  },
);

export interface NestProps extends Props {
  readonly children: readonly string[];
}

/** Declares its children in its handler, and keeps data of its own. */
export const Nest = Resource<Output, NestProps>("faults:Nest", {
  idempotent: true,
  replaceOn: ["name"],
  create: (context) =>
    world().call(context, "faults:Nest", async () => {
      const { value, children } = context.props;
      const thing = world().make(context, "faults:Nest", value, context.token);
      await context.set("children", children.length);
      for (const child of children) await Token(child, { value });
      return { thing, value };
    }),
  update: (context) =>
    world().call(context, "faults:Nest", async () => {
      const { value, children } = context.props;
      await context.set("children", children.length);
      await Promise.all(children.map((child) => Token(child, { value })));
      world().change(context, "faults:Nest", context.output.thing, value);
      return { thing: context.output.thing, value };
    }),
  delete: (context) => remove(context, "faults:Nest"),
});
