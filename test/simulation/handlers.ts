/** The requests that handlers of simulated types make, and the resources that they look for. */
import { platform } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { isSecret } from "../../plugins/secrets/secret.js";
import type { KindName } from "./program.ts";
import { saysOf, type Thing } from "./thing.ts";
import type { World } from "./world.ts";

export interface Props {
  readonly value: unknown;
  readonly name: number;
  /** Values from outputs, outputs themselves, or declarations, by id. */
  readonly uses?: unknown;
  /** The declarations of its handler, as text. */
  readonly body: string;
  /** May be ignored if something else changes it. */
  readonly tag?: number;
}

export interface Output {
  readonly thing: string;
  readonly uid: string;
  /** The value that its users see. */
  readonly says: string;
  readonly tag?: number;
  /** Remainders of a delete. */
  readonly rest?: number;
}

export type Base = HandlerBase & { readonly phase: string };

export function world(): World {
  const found = platform().belongings.get("world");
  if (!found) throw new Error("A handler of no simulated process.");
  return found as World;
}

export function outputOf(thing: Thing): Output {
  const { name, uid, tag, rest } = thing;
  const its = { ...(tag === undefined ? {} : { tag }), ...(rest === undefined ? {} : { rest }) };
  return { thing: name, uid, says: saysOf(thing), ...its };
}

/** The resource's content in the world: its value, and the values that it got from others. */
export function textOf({ value, name, uses }: Props): string {
  const plain = isSecret(value) ? "secret" : String(value);
  return `${plain} ${name} ${JSON.stringify(uses ?? {})}`;
}

export const kindOf = (name: KindName): string => `simulation:${name}`;

export type Find = (ground: World, context: HandlerBase) => Thing | undefined;

export function create(kind: KindName, find: Find) {
  return async (context: Base & { readonly props: Props }): Promise<Output> => {
    const value = textOf(context.props);
    const ground = world();
    return ground.call(context, kind, () => {
      const there = find(ground, context);
      return outputOf(there ? ground.change(context, there.name, value) : ground.make(context, kind, value));
    });
  };
}

export function update(kind: KindName) {
  return (context: Base & { readonly props: Props; readonly output: Output }): Promise<Output> => {
    const value = textOf(context.props);
    const ground = world();
    return ground.call(context, kind, () => outputOf(ground.change(context, context.output.thing, value)));
  };
}

export function remove(kind: KindName) {
  return async (context: Base & { readonly output: Output }): Promise<void> => {
    const ground = world();
    const { thing } = context.output;
    ground.deletes(context);
    await ground.call(context, kind, () => ground.remove(context, thing));
  };
}

export function read(kind: KindName, find: Find) {
  return (context: HandlerBase): Promise<Output | undefined> => {
    const { id, fqn, uid, token, profile, physicalName, signal } = context;
    const ground = world();
    const looking = { id, fqn, uid, token, profile, physicalName, signal, phase: "read" };
    return ground.call(looking, kind, () => {
      const thing = find(ground, context);
      return thing && outputOf(thing);
    });
  };
}

export const byUid: Find = (ground, { uid }) => ground.byUid(uid);
export const byToken: Find = (ground, { token: own }) => ground.byToken(own);
/** A resource of an interrupted create carries its token. */
export const byName: Find = (ground, { physicalName, token: own, recovering, adopt }) => {
  const thing = ground.things.get(physicalName);
  return recovering && !adopt && thing?.token !== own ? undefined : thing;
};
export const nothing: Find = () => undefined;
