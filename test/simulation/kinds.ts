/** The resource types of simulated programs, each with different guarantees. */
import { platform } from "../../core/base/index.js";
import type { Context, HandlerBase, ResourceType } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import {
  byName,
  byToken,
  byUid,
  create,
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
} from "./handlers.ts";
import { hasParts, type KindName } from "./program.ts";
import { userKinds } from "./users/kinds.ts";

/** The same token makes the same resource. */
const token = Resource<Output, Props>(kindOf("token"), {
  idempotent: true,
  replaceOn: ["name"],
  create: create("token", byToken),
  update: update("token"),
  delete: remove("token"),
});

/** Each create makes one more, and read shows the existing one. */
const readable = Resource<Output, Props>(kindOf("read"), {
  replaceOn: ["name"],
  create: create("read", nothing),
  read: read("read", byUid),
  update: update("read"),
  delete: remove("read"),
});

/** Each create makes one more, and nothing shows whether one exists. */
const blind = Resource<Output, Props>(kindOf("blind"), {
  replaceOn: ["name"],
  create: create("blind", nothing),
  update: update("blind"),
  delete: remove("blind"),
});

/** Every change replaces it. */
const fixed = Resource<Output, Props>(kindOf("fixed"), {
  create: create("fixed", nothing),
  read: read("fixed", byUid),
  delete: remove("fixed"),
});

/** A physical name has one resource, whatever made it: another create of it fails, and read finds it. */
const named = Resource<Output, Props>(kindOf("named"), {
  replaceOn: ["name"],
  create: (context) => {
    const value = textOf(context.props);
    const ground = world();
    const { physicalName } = context;
    return ground.call(context, "named", () => {
      if (ground.things.has(physicalName)) throw new Error(`no create: ${physicalName} already exists`);
      return outputOf(ground.make(context, "named", value, physicalName));
    });
  },
  read: read("named", byName),
  update: update("named"),
  delete: remove("named"),
});

/** Read in every run. */
const verified = Resource<Output, Props>(kindOf("verified"), {
  verify: true,
  replaceOn: ["name"],
  create: create("verified", nothing),
  read: read("verified", byUid),
  update: update("verified"),
  delete: remove("verified"),
});

/** One function, which switches on `this.phase`. */
const plain = Resource(
  kindOf("plain"),
  async function (this: Context<Output, Props>, _id: string, props: Props): Promise<Output> {
    if (this.phase === "delete") {
      await remove("plain")(this);
      return this.destroy();
    }
    const value = textOf(props);
    const ground = world();
    if (this.phase === "create") return ground.call(this, "plain", () => outputOf(ground.make(this, "plain", value)));
    if (props.name !== this.props.name) return this.replace(props.name % 2 === 1);
    const { thing } = this.output;
    return ground.call(this, "plain", () => outputOf(ground.change(this, thing, value)));
  },
);

/**
 * Declares in its handler: after its own work in a create, before it in an update. Two types of it, which can replace
 * each other.
 */
function whole(kind: "nest" | "bundle"): ResourceType<Output, Props> {
  return Resource<Output, Props>(kindOf(kind), {
    idempotent: true,
    replaceOn: ["name"],
    create: async (context) => {
      const output = await create(kind, byToken)(context);
      await inside(context);
      return output;
    },
    update: async (context) => {
      const ground = world();
      const process = ground.begin(context, kind);
      await inside(context);
      const value = textOf(context.props);
      return ground.request(process, `update ${context.fqn}`, () =>
        outputOf(ground.change(context, context.output.thing, value)),
      );
    },
    delete: remove(kind),
  });
}

/** The declarations in such a handler: set for each process that runs a program. */
export type Inside = (props: Props, uid: string) => Promise<void>;

async function inside({ uid, props }: HandlerBase & { readonly props: Props }): Promise<void> {
  const declare = platform().belongings.get("inside") as Inside;
  await declare(props, uid);
}

export const kinds: Readonly<Record<KindName, ResourceType<Output, Props>>> = {
  token,
  read: readable,
  blind,
  plain,
  fixed,
  named,
  verified,
  nest: whole("nest"),
  bundle: whole("bundle"),
  ...userKinds,
};

const READABLE: ReadonlySet<KindName> = new Set([
  "read",
  "fixed",
  "named",
  "verified",
  "reserved",
  "overwriting",
  "manual",
  "lagging",
  "needed",
  "tagged",
]);

/** `read` finds the result of an interrupted create. */
export function canRead(kind: KindName): boolean {
  return READABLE.has(kind);
}

/** A second create with the same token is harmless, and the engine knows that. */
export function isIdempotent(kind: KindName): boolean {
  return kind === "token" || kind === "frozen" || hasParts(kind);
}
