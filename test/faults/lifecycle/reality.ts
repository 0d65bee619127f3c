/** What is really there, whoever was killed, and the resource types that change it. */

import type { HandlerBase, ResourceType } from "../../../core/contract/definition.js";
import { Resource } from "../../../core/resource/define.js";
import type { Call, Id, Mishap } from "./commands.ts";
import type { Mortal } from "./mortal.ts";

export interface Props {
  readonly value: number;
  readonly name: number;
  readonly refers?: unknown;
}

export interface Output {
  readonly thing: string;
  readonly value: number;
}

export interface Thing {
  readonly id: string;
  readonly uid: string;
  readonly token: string;
  value: number;
}

/** One run, as its handlers know it. */
export interface Attempt {
  readonly reality: Reality;
  readonly mortal: Mortal;
  readonly mishaps: readonly Mishap[];
}

/** By the name that a run goes by: its `profile`. */
export const attempts = new Map<string, Attempt>();

export class Reality {
  readonly things = new Map<string, Thing>();
  readonly calls: string[] = [];
  readonly #ignoresTokens: boolean;
  #made = 0;

  constructor(ignoresTokens: boolean) {
    this.#ignoresTokens = ignoresTokens;
  }

  /** A create with a token that is known makes nothing new, where the type passes it on. */
  make({ id, uid, token }: HandlerBase, value: number, isAware: boolean): Output {
    const known =
      isAware && !this.#ignoresTokens ? [...this.things].find(([, thing]) => thing.token === token) : undefined;
    const [thing] = known ?? [`${id}#${++this.#made}`];
    this.things.set(thing, { id, uid, token, value });
    return { thing, value };
  }

  change({ thing }: Output, value: number): Output {
    const there = this.things.get(thing);
    if (!there) throw new Error(`There is no ${thing}.`);
    there.value = value;
    return { thing, value };
  }

  find(uid: string): Output | undefined {
    for (const [thing, { uid: other, value }] of this.things) if (other === uid) return { thing, value };
    return undefined;
  }
}

/** Does the work of a handler; the run may die, or the handler fail, before it and after it. */
async function work<T>(call: Call | "read", context: HandlerBase, effect: (reality: Reality) => T): Promise<T> {
  const attempt = attempts.get(context.profile ?? "");
  if (!attempt) throw new Error("A handler of no known run.");
  const { reality, mortal, mishaps } = attempt;
  const fails = (after: boolean): boolean =>
    mishaps.some((mishap) => mishap.call === call && mishap.id === context.id && mishap.after === after);
  await mortal.moment();
  reality.calls.push(`${call} ${context.id}`);
  if (fails(false)) throw new Error(`no ${call} ${context.id}`);
  const answer = effect(reality);
  await mortal.moment();
  if (fails(true)) throw new Error(`lost the reply to ${call} ${context.id}`);
  return answer;
}

interface Kind {
  readonly isAware?: boolean;
  readonly read?: boolean;
  readonly verify?: boolean;
  inside?(props: Props): Promise<unknown>;
}

function define(
  kind: string,
  { isAware = false, read = false, verify = false, inside }: Kind,
): ResourceType<Output, Props> {
  return Resource<Output, Props>(`life:${kind}`, {
    idempotent: isAware,
    verify,
    async create(context) {
      const { value } = context.props;
      await inside?.(context.props);
      return work("create", context, (reality) => reality.make(context, value, isAware));
    },
    async update(context) {
      const { value, name } = context.props;
      if (name !== context.previous.name) context.replace(name % 2 === 1);
      await inside?.(context.props);
      return work("update", context, (reality) => reality.change(context.output, value));
    },
    async delete(context) {
      await work("delete", context, (reality) => void reality.things.delete(context.output.thing));
    },
    ...(read ? { read: (context: HandlerBase) => work("read", context, (reality) => reality.find(context.uid)) } : {}),
  });
}

/** Neither passes its token on nor can it be read: an interrupted create of it stays in doubt. */
const Plain = Resource<Output, Props>("life:Plain", async function (_id, { value, name }) {
  if (this.phase === "delete") {
    await work("delete", this, (reality) => void reality.things.delete(this.output.thing));
    return this.destroy();
  }
  if (this.phase === "create") return work("create", this, (reality) => reality.make(this, value, false));
  if (name !== this.props.name) this.replace(name % 2 === 1);
  return work("update", this, (reality) => reality.change(this.output, value));
});

const Child = define("Child", { isAware: true });

export const types: { readonly [I in Id]: ResourceType<Output, Props> } = {
  aware: define("Aware", { isAware: true }),
  found: define("Found", { read: true }),
  watched: define("Watched", { read: true, verify: true }),
  plain: Plain,
  home: define("Home", {
    isAware: true,
    inside: async ({ value, name }) => (value > 0 ? Child(`child${value % 2}`, { value, name: name % 2 }) : undefined),
  }),
  renamed: define("Renamed", { isAware: true, read: true }),
};
