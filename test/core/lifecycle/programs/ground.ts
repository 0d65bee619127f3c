/** The real resources while an engine runs random programs, and the true dependencies of each. */

import type { HandlerBase } from "../../../../core/contract/index.js";
import { Resource } from "../../../../core/resource/index.js";
import type { Declaration } from "../order-world/program.ts";

export interface Output {
  readonly uid: string;
  readonly value: string;
  /** Outputs of children that it passes on, by name. */
  readonly exposes: { readonly [name: string]: Output };
}

export type Outputs = ReadonlyMap<string, Output>;

export interface Props {
  readonly version: number;
  /** A change replaces; an odd one deletes the old copy first. */
  readonly copy: number;
  readonly values: { readonly [name: string]: string };
}

/** The program's intention when it declared a resource. */
export interface Intention {
  readonly step: Declaration;
  readonly used: Outputs;
  /** uid of the resource whose handler declared it. */
  readonly home: string | undefined;
  /** Declares the children of the handler. */
  inside(uid: string): Promise<Outputs>;
}

interface Thing {
  readonly fqn: string;
  readonly parent: string | undefined;
  /** uids that its last handler run used. */
  uses: readonly string[];
  output: Output;
}

/** Conditions of a run: the duration of each step, and the steps that fail. */
export interface Weather {
  pause(): Promise<void>;
  fails(name: string): boolean;
}

export class Ground {
  things = new Map<string, Thing>();
  /** Deletes that came too early. */
  readonly early: string[] = [];
  /** Records in impossible positions. */
  readonly misplaced: string[] = [];
  readonly calls: string[] = [];
  readonly intentions = new Map<string, Intention>();
  weather: Weather = { pause: async () => {}, fails: () => false };
  /** Deleted first because the program asked for it, even if others still use them. */
  readonly #asked = new Set<string>();

  clone(): Ground {
    const clone = new Ground();
    clone.things = new Map([...this.things].map(([uid, thing]) => [uid, { ...thing }]));
    return clone;
  }

  async apply(phase: "create" | "update", { uid, fqn }: HandlerBase): Promise<Output> {
    this.calls.push(`${phase} ${fqn}`);
    const intention = this.intentions.get(fqn);
    if (!intention) throw new Error(`Nobody declared ${fqn}.`);
    const { step, used, home } = intention;
    const uses = [...used.values()].map((output) => output.uid);
    const output = { uid, value: `${fqn} ${step.output}`, exposes: {} };
    this.things.set(uid, { fqn, parent: home, uses, output });
    await this.weather.pause();
    const inner = await intention.inside(uid);
    await this.weather.pause();
    if (this.weather.fails(step.name)) throw new Error(`${fqn} fails`);
    const exposed = [...inner].filter(([name, { uid: inside }]) => used.get(name)?.uid !== inside);
    const result = { ...output, exposes: Object.fromEntries(exposed) };
    this.things.set(uid, { fqn, parent: home, uses, output: result });
    return result;
  }

  async remove({ uid, fqn }: HandlerBase): Promise<void> {
    this.calls.push(`delete ${fqn}`);
    for (const [other, { parent, uses, fqn: name }] of this.things) {
      if (other === uid) continue;
      if (parent === uid) this.early.push(`${fqn} was deleted before its child ${name}`);
      else if (uses.includes(uid) && !this.#asked.has(uid))
        this.early.push(`${fqn} was deleted before ${name}, which used it`);
    }
    await this.weather.pause();
    this.things.delete(uid);
  }

  /** Marks the resource and its children as deleted on request, even if others use them. */
  ask(uid: string): void {
    this.#asked.add(uid);
    for (const [child, { parent }] of this.things) if (parent === uid) this.ask(child);
  }

  /**
   * An unchanged resource was given equal outputs of other copies: these replace the copies that it and its children
   * were made from. Copies whose names changed do not count.
   */
  shown(uid: string, used: Outputs): void {
    const thing = this.things.get(uid);
    if (!thing) return;
    const now = [...used.values()].map((output) => output.uid);
    const instead = (old: string): readonly string[] => {
      if (!thing.uses.includes(old) || now.includes(old)) return [old];
      return now.filter((other) => this.things.get(other)?.fqn === this.things.get(old)?.fqn);
    };
    for (const each of this.#family(uid)) each.uses = each.uses.flatMap(instead);
  }

  #family(uid: string): Thing[] {
    const thing = this.things.get(uid);
    const children = [...this.things].filter(([, { parent }]) => parent === uid);
    return [...(thing ? [thing] : []), ...children.flatMap(([child]) => this.#family(child))];
  }
}

/** The ground of each app's resources, by the app's name. */
export const grounds = new Map<string, Ground>();

function groundOf({ scope }: HandlerBase): Ground {
  const ground = grounds.get(scope.appName);
  if (!ground) throw new Error(`${scope.appName} has no ground.`);
  return ground;
}

export const Node = Resource<Output, Props>("programs:Node", {
  create: (context) => groundOf(context).apply("create", context),
  read: (context) => groundOf(context).things.get(context.uid)?.output,
  update: (context) => {
    const { props, previous, uid, replace } = context;
    if (props.copy === previous.copy) return groundOf(context).apply("update", context);
    const deletesFirst = props.copy % 2 === 1;
    if (deletesFirst) groundOf(context).ask(uid);
    return replace(deletesFirst);
  },
  delete: (context) => groundOf(context).remove(context),
});
