/** Runs a program as the engine would, on a virtual clock: handlers take any time, fail, or are killed. */
import { Placement } from "../../../../core/order/index.js";
import type { Interval } from "../../../../core/order/placement.ts";
import { type Declaration, emptyProgram, type Group, type Step } from "./program.ts";
import type { Copy, World } from "./world.ts";

/** Virtual time: acts run when they are due, and those due at the same time in the order of their requests. */
class Clock {
  readonly #due: { readonly at: number; readonly act: () => void }[] = [];
  readonly #delays: readonly number[];
  #taken = 0;
  #now = 0;

  /** Delays are taken in turn, and reused from the start. */
  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  get now(): number {
    return this.#now;
  }

  get idle(): boolean {
    return this.#due.length === 0;
  }

  after(act: () => void, longest = Number.POSITIVE_INFINITY): void {
    const delay = this.#delays[this.#taken++ % this.#delays.length] ?? 0;
    const at = this.#now + Math.min(delay, longest);
    const index = this.#due.findIndex((other) => other.at > at);
    this.#due.splice(index < 0 ? this.#due.length : index, 0, { at, act });
  }

  /** Stops dead after this many acts. */
  run(acts: number | undefined): void {
    for (let count = 0; count !== acts; count++) {
      const next = this.#due.shift();
      if (!next) return;
      this.#now = next.at;
      next.act();
    }
  }
}

export interface Fate {
  /** Virtual durations, taken in turn. */
  readonly delays: readonly number[];
  /** Names of resources whose handler fails. */
  readonly fails: readonly string[];
  /** The process dies after this many events. */
  readonly killAt: number | undefined;
}

export interface Ran {
  readonly complete: boolean;
  readonly moves: number;
  readonly log: readonly string[];
  /** Copies that a complete run prunes. */
  readonly doomed: readonly Copy[];
}

/** Uids by name: the outputs that a branch of the program holds. */
type Outputs = ReadonlyMap<string, string>;

interface Branch {
  /** uid of the resource whose handler runs the branch. */
  readonly home: string | undefined;
  readonly path: string;
  readonly resolve: (outputs: Outputs) => void;
  readonly reject: () => void;
}

export function run(world: World, program: Group, fate: Fate): Ran {
  return new Run(world, fate).result(program);
}

class Run {
  readonly #world: World;
  readonly #fate: Fate;
  readonly #clock: Clock;
  readonly #placement: Placement;
  readonly #resolved = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #log: string[] = [];
  #failed = false;
  #moves = 0;

  constructor(world: World, fate: Fate) {
    this.#world = world;
    this.#fate = fate;
    this.#clock = new Clock(fate.delays);
    // Records are immutable.
    this.#placement = new Placement([...world.copies.values()].map((copy) => ({ ...copy })));
  }

  result(program: Group): Ran {
    let ended = false;
    const resolve = (): void => {
      ended = true;
    };
    this.#group(program, new Map(), { home: undefined, path: "", resolve, reject: () => undefined });
    this.#clock.run(this.#fate.killAt);
    const complete = ended && !this.#failed && this.#clock.idle;
    return { complete, moves: this.#moves, log: this.#log, doomed: complete ? this.#doomed() : [] };
  }

  #step(step: Step, outputs: Outputs, branch: Branch): void {
    if (step.kind === "group") this.#group(step, outputs, branch);
    else this.#clock.after(() => this.#declare(step, outputs, branch), 1);
  }

  #group({ mode, steps }: Group, outputs: Outputs, branch: Branch): void {
    if (mode === "sequence") return this.#sequence(steps, outputs, branch);
    const all = new Map(outputs);
    let left = steps.length;
    if (left === 0) branch.resolve(outputs);
    const resolve = (next: Outputs): void => {
      for (const [name, uid] of next) if (outputs.get(name) !== uid) all.set(name, uid);
      if (--left === 0) branch.resolve(all);
    };
    for (const step of steps) this.#step(step, outputs, { ...branch, resolve });
  }

  #sequence([step, ...rest]: readonly Step[], outputs: Outputs, branch: Branch): void {
    if (!step) return branch.resolve(outputs);
    this.#step(step, outputs, { ...branch, resolve: (next) => this.#sequence(rest, next, branch) });
  }

  #declare(step: Declaration, outputs: Outputs, branch: Branch): void {
    const world = this.#world;
    const key = `${branch.path}/${step.name}`;
    const used = new Map<string, string>();
    for (const { name } of step.wants) {
      const uid = outputs.get(name);
      if (uid !== undefined) used.set(name, uid);
    }
    const refs = step.wants.flatMap(({ name, refer }) => (refer ? (used.get(name) ?? []) : []));
    const props = JSON.stringify([step.version, [...used].map(([name, uid]) => [name, world.get(uid)?.output])]);
    this.#declared.add(key);
    const recorded = world.at(key);
    const current = recorded?.number === step.copy && recorded.parent === branch.home ? recorded : undefined;
    if (recorded) recorded.dropped = undefined;
    if (current?.settled && current.props === props) {
      if (current.refs.join() !== refs.join()) this.#place(current, branch);
      else this.#placement.reached(current.ready);
      current.refs = refs;
      // Declarations of one group were made before any of them resolved.
      return this.#clock.after(() => this.#skip(step, current, used, outputs, branch), 1);
    }
    const place = this.#place(recorded, branch);
    const seen = [...this.#resolved];
    // The intent is recorded after hooks and after waiting for its turn, which may take any time.
    this.#clock.after(() => {
      if (recorded && !current) this.#replace(recorded, step);
      const copy = current ?? { uid: world.newUid(step.name), key, parent: branch.home, ...place, ...blank(step) };
      Object.assign(copy, { settled: false, props, refs, uses: [...used.values()], seen });
      world.copies.set(copy.uid, copy);
      this.#note(`${copy.uid} stands at ${copy.ready} and uses ${copy.uses}`);
      this.#handle(step, copy, used, outputs, branch);
    });
  }

  #place(recorded: Copy | undefined, branch: Branch): Interval {
    const { ready, done, moves } = this.#placement.ready(recorded?.uid, this.#world.get(branch.home));
    this.#world.place(moves);
    this.#moves += moves.length;
    for (const move of moves) this.#note(`${move.uid} moves to ${move.ready} until ${move.done}`);
    return { ready, done };
  }

  #skip(step: Declaration, copy: Copy, used: Outputs, outputs: Outputs, branch: Branch): void {
    this.#world.shown(copy, used);
    this.#placement.unchanged(copy.uid);
    for (const uid of [copy.uid, ...copy.exposes.values()]) this.#resolved.add(uid);
    this.#note(`${copy.uid} is skipped at ${copy.ready} until ${copy.done}`);
    branch.resolve(new Map([...outputs, [step.name, copy.uid], ...copy.exposes]));
  }

  #replace(old: Copy, { copy, name }: Declaration): void {
    old.replaced = true;
    this.#note(`${name} is replaced`);
    if (copy % 2 === 0 || old.number === copy) return;
    for (const { uid } of this.#world.family(old)) {
      this.#world.copies.delete(uid);
      this.#placement.forget(uid);
    }
  }

  #handle(step: Declaration, copy: Copy, used: Outputs, outputs: Outputs, branch: Branch): void {
    const reject = (): void => {
      this.#failed = true;
      this.#note(`${copy.uid} fails`);
      if (step.caught) branch.resolve(outputs);
      else branch.reject();
    };
    const end = (inner: Outputs): void => {
      if (this.#fate.fails.includes(step.name)) return reject();
      copy.exposes = new Map([...inner].filter(([name, uid]) => used.get(name) !== uid));
      copy.output = `${copy.key} ${step.output}`;
      copy.standsOn = copy.uses;
      copy.settled = true;
      copy.done = this.#placement.doneOf(copy);
      for (const child of this.#world.children(copy.uid)) if (!this.#declared.has(child.key)) child.dropped = true;
      this.#note(`${copy.uid} is done at ${copy.done}`);
      this.#clock.after(() => {
        this.#placement.resolved(copy.uid, copy);
        this.#resolved.add(copy.uid);
        branch.resolve(new Map([...outputs, [step.name, copy.uid], ...copy.exposes]));
      }, 1);
    };
    const resolve = (inner: Outputs): void => this.#clock.after(() => end(inner));
    const inside: Branch = { home: copy.uid, path: copy.key, resolve, reject };
    this.#clock.after(() => this.#group(step.body ?? emptyProgram(), used, inside));
  }

  #note(text: string): void {
    this.#log.push(`${this.#clock.now}: ${text}`);
  }

  #doomed(): Copy[] {
    const isDoomed = ({ key, parent, replaced, dropped }: Copy): boolean => {
      if (replaced) return true;
      if (this.#declared.has(key)) return false;
      const home = this.#world.get(parent);
      return !home || dropped || isDoomed(home);
    };
    return [...this.#world.copies.values()].filter(isDoomed);
  }
}

/** Members of a copy before its handler has run. */
function blank({ copy }: Declaration): Omit<Copy, "uid" | "key" | "ready"> {
  const nothing = { uses: [], standsOn: [], seen: [], refs: [] };
  return { number: copy, settled: false, props: "", output: "", exposes: new Map(), ...nothing };
}
