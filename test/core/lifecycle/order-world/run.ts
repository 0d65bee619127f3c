/** Runs a program on a virtual clock: handlers take any time, fail, or are killed. */
import { Placement } from "../../../../core/lifecycle/positions.ts";
import type { Declaration, Group, Step } from "./program.ts";
import type { Copy, World } from "./world.ts";

export interface RunPlan {
  /** Virtual durations, taken in turn. */
  readonly delays: readonly number[];
  /** Names of resources whose handler fails. */
  readonly fails: readonly string[];
  /** The process dies after so many events. */
  readonly killAt: number | undefined;
}

export interface RunResult {
  readonly complete: boolean;
  readonly moved: number;
  readonly log: readonly string[];
  /** What a prune deletes after a complete run. */
  readonly doomed: readonly Copy[];
}

type Visible = ReadonlyMap<string, string>;

interface Outcome {
  readonly ok: (visible: Visible) => void;
  readonly fail: () => void;
}

interface Event {
  readonly at: number;
  readonly act: () => void;
}

export function run(world: World, program: Group, plan: RunPlan): RunResult {
  return new Run(world, plan).result(program);
}

class Run {
  readonly #world: World;
  readonly #plan: RunPlan;
  readonly #placement: Placement;
  readonly #events: Event[] = [];
  readonly #resolved = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #handled = new Set<string>();
  readonly #log: string[] = [];
  #now = 0;
  #taken = 0;
  #failed = false;
  #moved = 0;

  constructor(world: World, plan: RunPlan) {
    this.#world = world;
    this.#plan = plan;
    this.#placement = new Placement(world.copies.values());
  }

  result(program: Group): RunResult {
    let ended = false;
    const fail = (): void => undefined;
    this.#group(program, new Map(), undefined, "", { ok: () => { ended = true; }, fail });
    for (let count = 0; this.#events.length > 0 && count !== this.#plan.killAt; count++) {
      const event = this.#events.shift();
      this.#now = event?.at ?? 0;
      event?.act();
    }
    const complete = ended && !this.#failed && this.#events.length === 0;
    return { complete, moved: this.#moved, log: this.#log, doomed: complete ? this.#doomed() : [] };
  }

  #after(delay: number, act: () => void): void {
    const at = this.#now + delay;
    const index = this.#events.findIndex((event) => event.at > at);
    this.#events.splice(index < 0 ? this.#events.length : index, 0, { at, act });
  }

  #delay(): number {
    const { delays } = this.#plan;
    return delays[this.#taken++ % delays.length] ?? 0;
  }

  #step(step: Step, visible: Visible, home: string | undefined, path: string, outcome: Outcome): void {
    if (step.kind === "group") this.#group(step, visible, home, path, outcome);
    else this.#after(this.#delay() & 1, () => this.#declare(step, visible, home, `${path}/${step.name}`, outcome));
  }

  #group(group: Group, visible: Visible, home: string | undefined, path: string, outcome: Outcome): void {
    if (group.mode === "all") this.#all(group.steps, visible, home, path, outcome);
    else this.#sequence(group.steps, visible, home, path, outcome);
  }

  #sequence(steps: readonly Step[], visible: Visible, home: string | undefined, path: string, outcome: Outcome): void {
    const [first, ...rest] = steps;
    if (!first) return outcome.ok(visible);
    const ok = (next: Visible): void => this.#sequence(rest, next, home, path, outcome);
    this.#step(first, visible, home, path, { ok, fail: outcome.fail });
  }

  #all(steps: readonly Step[], visible: Visible, home: string | undefined, path: string, outcome: Outcome): void {
    if (steps.length === 0) return outcome.ok(visible);
    const merged = new Map(visible);
    let left = steps.length;
    const ok = (next: Visible): void => {
      for (const [name, uid] of next) if (visible.get(name) !== uid) merged.set(name, uid);
      if (--left === 0) outcome.ok(merged);
    };
    for (const step of steps) this.#step(step, visible, home, path, { ok, fail: outcome.fail });
  }

  #declare(step: Declaration, visible: Visible, home: string | undefined, key: string, outcome: Outcome): void {
    const world = this.#world;
    this.#declared.add(key);
    const used = new Map<string, string>();
    for (const { name } of step.wants) {
      const uid = visible.get(name);
      if (uid !== undefined) used.set(name, uid);
    }
    const refs = step.wants.flatMap(({ name, refer }) => (refer ? (used.get(name) ?? []) : []));
    const values = [...used].map(([name, uid]) => [name, world.copies.get(uid)?.value]);
    const props = JSON.stringify([step.version, values]);
    const current = world.at(key);
    if (current) delete current.orphaned;
    const parent = home === undefined ? undefined : world.copies.get(home);
    const skips = current && current.settled && current.number === step.copy && current.parent === home && current.props === props;
    const place = () => {
      const placed = this.#placement.ready(current?.uid, parent);
      this.#moved += placed.moves.length;
      world.place(placed.moves);
      return placed;
    };
    const resolve = (copy: Copy): void => {
      if (!skips) copy.done = this.#placement.resolved(copy.uid, copy);
      this.#resolved.add(copy.uid);
      this.#note(`${copy.uid} done ${copy.done}`);
      outcome.ok(new Map([...visible, [step.name, copy.uid], ...copy.exposes]));
    };
    if (skips) {
      if (current.refs.join() !== refs.join()) place();
      this.#placement.skipped(current.uid);
      this.#note(`${current.uid} skipped at ${current.ready} to ${current.done}`);
      current.refs = refs;
      this.#shown(current, used);
      for (const { uid } of world.descendants(current.uid)) this.#resolved.add(uid);
      return resolve(current);
    }
    const placed = place();
    const { ready, done } = placed;
    const replaces = current !== undefined && (current.number !== step.copy || current.parent !== home);
    if (replaces) current.replaced = true;
    const copy: Copy =
      current && !replaces
        ? current
        : {
            uid: world.newUid(step.name),
            key,
            name: step.name,
            ...(home === undefined ? {} : { parent: home }),
            ready,
            ...(done ? { done } : {}),
            refs: [],
            settled: false,
            props: "",
            number: step.copy,
            value: "",
            exposes: new Map(),
            seen: new Set(),
            uses: new Set(),
            standsOn: new Set(),
          };
    world.copies.set(copy.uid, copy);
    copy.settled = false;
    copy.props = props;
    copy.refs = refs;
    copy.seen = new Set(this.#resolved);
    copy.uses = new Set(used.values());
    this.#handled.add(copy.uid);
    this.#note(`${copy.uid} ready ${ready} uses ${[...copy.uses]} moves ${JSON.stringify(placed.moves)}`);
    const fail = (): void => {
      this.#failed = true;
      this.#note(`${copy.uid} failed`);
      if (step.caught) outcome.ok(visible);
      else outcome.fail();
    };
    const succeed = (inner: Visible): void => {
      if (this.#plan.fails.includes(step.name)) return fail();
      copy.exposes = new Map([...inner].filter(([name, uid]) => used.get(name) !== uid));
      copy.settled = true;
      copy.value = `${step.name}=${step.value}`;
      copy.standsOn = copy.uses;
      for (const child of world.copies.values()) if (child.parent === copy.uid && !this.#declared.has(child.key)) child.orphaned = true;
      resolve(copy);
    };
    const body = step.body ?? { kind: "group", mode: "sequence", steps: [] };
    this.#after(this.#delay(), () =>
      this.#group(body, used, copy.uid, key, { ok: (inner) => this.#after(this.#delay(), () => succeed(inner)), fail }),
    );
  }

  /** Equal outputs of other copies take the place of those that a skipped resource was made from. */
  #shown(skipped: Copy, used: ReadonlyMap<string, string>): void {
    const { copies } = this.#world;
    const now = new Set(used.values());
    const gone = new Map([...skipped.uses].filter((uid) => !now.has(uid)).map((uid) => {
      const key = copies.get(uid)?.key;
      return [uid, [...now].filter((other) => copies.get(other)?.key === key)];
    }));
    for (const copy of [skipped, ...this.#world.descendants(skipped.uid)]) {
      copy.uses = new Set([...copy.uses].flatMap((uid) => gone.get(uid) ?? uid));
      copy.standsOn = new Set([...copy.standsOn].flatMap((uid) => gone.get(uid) ?? uid));
    }
  }

  #note(text: string): void {
    this.#log.push(`${this.#now}: ${text}`);
  }

  #doomed(): Copy[] {
    const { copies } = this.#world;
    const isDoomed = ({ key, parent, replaced, orphaned }: Copy): boolean => {
      if (replaced) return true;
      if (this.#declared.has(key)) return false;
      const owner = parent === undefined ? undefined : copies.get(parent);
      return !owner || orphaned || this.#handled.has(owner.uid) || isDoomed(owner);
    };
    return [...copies.values()].filter(isDoomed);
  }
}
