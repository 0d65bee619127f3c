/** Resource types of the world of users, with the traits of real services. */
import type { HandlerBase, HandlersDefinition, ResourceType } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import {
  byToken,
  byUid,
  create,
  type Find,
  kindOf,
  nothing,
  type Output,
  outputOf,
  type Props,
  read,
  remove,
  textOf,
  update,
  world,
} from "../handlers.ts";
import type { KindName } from "../program.ts";
import type { UserKindName } from "./kind-names.ts";
import type { UsersWorld } from "./world.ts";

/** Milliseconds for which a `read` does not see a new resource. */
export const LAG = 5_000;

type Given = HandlerBase & { readonly output?: Output | undefined };

/**
 * The resource that the output names; otherwise the one with the physical name, and with the token after an interrupted
 * create.
 */
const byTag: Find = (ground, context) => {
  const { physicalName, token, recovering, output } = context as Given;
  const thing = ground.things.get(output?.thing ?? physicalName);
  return recovering && !output && thing?.token !== token ? undefined : thing;
};
/** The resource of that name, whatever made it. */
const byName: Find = (ground, context) => ground.things.get((context as Given).output?.thing ?? context.physicalName);
const late: Find = (ground, { uid }) => {
  const thing = ground.byUid(uid);
  return thing && (ground as UsersWorld).isSeen(thing) ? thing : undefined;
};

/**
 * @param isStrict an existing resource is an error; otherwise it is overwritten, unless it belongs to another account
 */
function named(kind: KindName, isStrict: boolean) {
  return (context: HandlerBase & { readonly phase: string; readonly props: Props }): Promise<Output> => {
    const value = textOf(context.props);
    const ground = world() as UsersWorld;
    const { physicalName } = context;
    return ground.call(context, kind, () => {
      const there = ground.things.get(physicalName);
      ground.claims(context, there);
      if (there && (isStrict || there.isForeign)) throw new Error(`no create: ${physicalName} already exists`);
      return outputOf(ground.make(context, kind, value, physicalName));
    });
  };
}

function define(kind: UserKindName, handlers: HandlersDefinition<Output, Props> & { readonly readLag?: number }) {
  return Resource<Output, Props>(kindOf(kind), handlers);
}

/** A name has one resource, and a tag names the owner. */
const reserved = define("reserved", {
  replaceOn: ["name"],
  create: named("reserved", true),
  read: read("reserved", byTag),
  update: update("reserved"),
  delete: remove("reserved"),
});

/** A create overwrites the resource of its name. */
const overwriting = define("overwriting", {
  replaceOn: ["name"],
  create: named("overwriting", false),
  read: read("overwriting", byTag),
  update: update("overwriting"),
  delete: remove("overwriting"),
});

/** Only its name shows the owner. */
const manual = define("manual", {
  replaceOn: ["name"],
  create: named("manual", true),
  read: read("manual", byName),
  update: update("manual"),
  delete: remove("manual"),
});

/** Its `read` does not see a new resource at once. */
const lagging = define("lagging", {
  readLag: LAG,
  replaceOn: ["name"],
  create: create("lagging", nothing),
  read: read("lagging", late),
  update: update("lagging"),
  delete: remove("lagging"),
});

/** It cannot be deleted while another resource uses it. */
const needed = define("needed", {
  replaceOn: ["name"],
  create: create("needed", nothing),
  read: read("needed", byUid),
  update: update("needed"),
  delete: remove("needed"),
});

/** It has a tag that others may change, and is read in every run. */
const tagged = define("tagged", {
  verify: true,
  replaceOn: ["name"],
  create: (context) => {
    const value = textOf(context.props);
    const ground = world() as UsersWorld;
    return ground.call(context, "tagged", () => {
      const thing = ground.make(context, "tagged", value);
      thing.tag = context.props.tag ?? 0;
      return outputOf(thing);
    });
  },
  read: read("tagged", byUid),
  update: (context) => {
    const value = textOf(context.props);
    const ground = world() as UsersWorld;
    return ground.call(context, "tagged", () => {
      const thing = ground.change(context, context.output.thing, value);
      ground.tags(context, thing, context.props.tag ?? 0);
      return outputOf(thing);
    });
  },
  delete: remove("tagged"),
});

/** It can neither be read nor updated; the same token makes the same resource. */
const frozen = define("frozen", {
  idempotent: true,
  create: create("frozen", byToken),
  delete: remove("frozen"),
});

export const userKinds: Readonly<Record<UserKindName, ResourceType<Output, Props>>> = {
  reserved,
  overwriting,
  manual,
  lagging,
  needed,
  tagged,
  frozen,
};

/** Every change replaces resources of such a type. */
export function isUnchangeable(kind: KindName): boolean {
  return kind === "fixed" || kind === "frozen";
}

/** A physical name identifies the resource alone. */
export function hasName(kind: KindName): boolean {
  return kind === "named" || kind === "reserved" || kind === "overwriting" || kind === "manual";
}
