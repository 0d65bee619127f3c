/** The real resources of handlers: the world outlives every process, is slow, and loses requests and answers. */
import type { HandlerBase } from "../../core/contract/index.js";
import type { SimulatedProcess } from "../../plugins/testing/simulation/simulated-process.js";
import type { Simulation } from "../../plugins/testing/simulation/simulation.js";
import { Foreign } from "./foreign.ts";
import type { Deployer } from "./history.ts";
import type { KindName } from "./program.ts";
import type { Call, Caller, Intention, Luck, Thing, Warden } from "./thing.ts";
import { mustGoFirst, NO_INTENTION } from "./thing.ts";

/** Milliseconds, each way. */
const SLOWEST = 150;

export class World {
  readonly things = new Map<string, Thing>();
  readonly calls: Call[] = [];
  readonly problems: string[] = [];
  readonly foreign = new Foreign(this.things);
  /** Violations by process, which count only if its run fails. */
  readonly pruned = new Map<string, string>();
  /** uids, and names, of resources that are to be deleted first. */
  readonly asked = new Set<string>();
  readonly #simulation: Simulation;
  readonly #warden: Warden;
  /** Names of processes in which a create or an update has failed for good. */
  readonly #failed = new Set<string>();
  readonly #lucks = new Map<string, Luck>();
  readonly #intentions = new Map<string, Intention>();
  /** Called with a line for every event. */
  readonly #tell: (line: string) => void;
  readonly #underWay = new Map<SimulatedProcess, Set<(isDone: boolean) => void>>();
  #count = 0;

  constructor(simulation: Simulation, warden: Warden, tell: (line: string) => void) {
    this.#simulation = simulation;
    this.#warden = warden;
    this.#tell = tell;
  }

  enter(process: SimulatedProcess, luck: Luck, _deployer?: Deployer): void {
    this.#lucks.set(process.name, luck);
    const requests = new Set<(isDone: boolean) => void>();
    this.#underWay.set(process, requests);
    // Requests in flight take effect now, or never.
    process.onEnd(() => {
      for (const settle of requests) settle(luck.random.chance(0.5));
    });
  }

  intend(process: string, fqn: string, intention: Intention): void {
    if (intention.adopts) this.foreign.mayAdopt(fqn);
    this.#intentions.set(`${process} ${fqn}`, intention);
  }

  intention(process: string, fqn: string): Intention | undefined {
    return this.#intentions.get(`${process} ${fqn}`);
  }

  /** One call of a handler: its request, and the faults between the request and its answer. */
  async call<T>(context: Caller, kind: KindName, effect: () => T): Promise<T> {
    const process = this.begin(context, kind);
    return this.request(process, `${context.phase} ${context.fqn}`, effect, context.signal);
  }

  begin({ phase, fqn, uid, token }: Caller, kind: KindName): SimulatedProcess {
    const process = this.#simulation.current;
    if (!process) throw new Error("A handler of no process.");
    const call = { process: process.name, phase, fqn, uid, token, kind };
    this.calls.push(call);
    this.#tell(`${process.name} begins ${phase} of ${fqn} (${uid})`);
    if (phase !== "read") this.problems.push(...this.#warden.begins(process, call));
    if (process.signalledAt < this.#simulation.time.now && this.#lucks.get(process.name)?.isWatched) {
      this.problems.push(`late: ${phase} of ${fqn} began in ${process.name} after it was told to stop`);
    }
    return process;
  }

  request<T>(process: SimulatedProcess, what: string, effect: () => T, signal?: AbortSignal): Promise<T> {
    const { time } = this.#simulation;
    const [luck, requests] = [this.#lucks.get(process.name), this.#underWay.get(process)];
    if (!luck || !requests) throw new Error(`${process.name} is not in this world.`);
    const { random, mishap } = luck;
    const [fails, isEarly] = [random.chance(mishap), random.chance(0.5)];
    const delays = [random.between(0.1, SLOWEST), random.between(0.1, SLOWEST)] as const;
    const isAware = random.chance(0.5);
    return new Promise((resolve, reject) => {
      const release = process.hold();
      const answer = (give: () => void): void => {
        process.wake(time.now + delays[1], give);
        release();
      };
      const settle = (isDone: boolean): void => {
        requests.delete(settle);
        signal?.removeEventListener("abort", abort);
        cancel();
        if (fails && isEarly) return answer(() => reject(new Error(`no ${what}`)));
        this.#tell(`${process.name} ${isDone ? "has done" : "never does"} ${what}`);
        if (!isDone) return;
        try {
          const result = effect();
          if (fails) answer(() => reject(new Error(`lost the reply to ${what}`)));
          else answer(() => resolve(result));
        } catch (error) {
          answer(() => reject(error));
        }
      };
      const abort = (): void => {
        settle(random.chance(0.5));
        answer(() => reject(new Error(`no ${what}: aborted`)));
      };
      const cancel = time.at(time.now + delays[0], () => settle(true));
      requests.add(settle);
      if (isAware) signal?.addEventListener("abort", abort, { once: true });
    });
  }

  make(context: HandlerBase, kind: KindName, value: string, own?: string): Thing {
    const name = own ?? `${context.id}#${++this.#count}`;
    const { fqn, uid, token } = context;
    const about = { ...this.#usesOf(context), isStray: this.#isOvertaken(context) };
    const thing: Thing = { name, kind, fqn, uid, token, value, ...about };
    // An overtaken process may make it at the same time, by the same intent: its owner is then unknown.
    const twins = [...this.things.values(), thing].filter((other) => other.token === token);
    if (twins.length > 1 && twins.some((twin) => twin.isStray)) for (const twin of twins) twin.released = true;
    this.things.set(name, thing);
    return thing;
  }

  change(context: HandlerBase, name: string, value: string): Thing {
    const thing = this.things.get(name);
    if (!thing) throw new Error(`no ${name} is there to be changed`);
    this.problems.push(...this.foreign.touched(context.fqn, thing));
    const isDoubtful = this.#isOvertaken(context);
    Object.assign(thing, {
      value,
      uid: context.uid,
      fqn: context.fqn,
      isDoubtful,
      released: isDoubtful && thing.released === true,
      ...this.#usesOf(context),
    });
    return thing;
  }

  /** A declaration of the program itself has failed; a child may be retried, or be settled in order to be deleted. */
  fails(process: string, fqn: string): void {
    const intention = this.intention(process, fqn);
    if (intention && intention.parent === undefined) this.#failed.add(process);
  }

  /** Notes a delete that is too early, or forbidden, before it happens. */
  deletes({ uid, fqn, profile }: HandlerBase): void {
    const isLetGo = this.intention(profile ?? "", fqn)?.protects === false;
    if (!isLetGo && this.#warden.isProtected(uid)) this.problems.push(`protected: ${fqn} was deleted`);
    // When an overtaken process wakes, it acts after newer resources were made; its first write stops it.
    if (this.#isOvertaken({ profile })) return;
    const whole = this.#wholeOf(uid);
    if (this.#failed.has(profile ?? "") && whole && this.#isLeftOut(profile ?? "", whole)) {
      this.pruned.set(profile ?? "", `pruned: ${fqn} was deleted by ${profile}, which had failed`);
    }
    // A delete that began like this is finished, whatever is declared by then.
    const isTargeted = this.#warden.deletersOf(uid).some((name) => (this.#lucks.get(name)?.targets ?? []).length > 0);
    const isAsked = this.asked.has(uid) || this.asked.has(fqn);
    for (const other of this.things.values()) {
      if (other.uid === uid || other.isStray || !this.#warden.isRecorded(other)) continue;
      if (other.parent === uid) this.problems.push(`early: ${fqn} was deleted before its child ${other.fqn}`);
      else if (!isAsked && mustGoFirst(other, { uid, own: this.byUid(uid), warden: this.#warden, isTargeted })) {
        this.problems.push(`early: ${fqn} was deleted before ${other.fqn}, which uses it`);
      }
    }
  }

  remove(context: HandlerBase, name: string): void {
    const thing = this.things.get(name);
    // Another process may have made one of that name meanwhile.
    if (thing?.uid === context.uid || (thing && this.foreign.isAdopted(context.fqn, thing))) this.things.delete(name);
  }

  /** A retained resource has no owner from now on. */
  release(fqn: string, _reason?: string, _process?: string): void {
    const uids = this.#warden.uidsAt(fqn);
    for (const thing of this.things.values()) if (thing.fqn === fqn || uids.has(thing.uid)) thing.released = true;
  }

  /** Existing resources may no longer be recorded, because their results were lost. */
  forgetResults(): void {
    for (const thing of this.things.values()) thing.released = true;
  }

  byUid(uid: string): Thing | undefined {
    return [...this.things.values()].find((thing) => thing.uid === uid);
  }

  byToken(token: string): Thing | undefined {
    return [...this.things.values()].find((thing) => thing.token === token);
  }

  /** The outermost parent of a resource; the resource itself if it has none. */
  #wholeOf(uid: string): Thing | undefined {
    const thing = this.byUid(uid);
    return (thing?.parent !== undefined && this.#wholeOf(thing.parent)) || thing;
  }

  #isLeftOut(process: string, { fqn, uid }: Thing): boolean {
    const isWanted = this.intention(process, this.#warden.nameOf(uid) ?? fqn) !== undefined;
    return !isWanted && !this.asked.has(uid);
  }

  /** The program asks for a delete of it, and so of its children, even if other resources use it. */
  ask(uid: string, destroyer?: string): void {
    if (this.asked.has(uid)) return;
    this.asked.add(uid);
    // Its old copies are deleted with it.
    for (const copy of this.#warden.uidsAt(this.byUid(uid)?.fqn ?? "")) this.ask(copy, destroyer);
    for (const { uid: child, parent } of this.things.values()) if (parent === uid) this.ask(child);
  }

  /** The same, by its recorded name. */
  askAt(fqn: string, destroyer: string): void {
    for (const uid of this.#warden.uidsAt(fqn)) this.ask(uid, destroyer);
  }

  /** An unchanged resource has got equal outputs of other copies, which replace those that it was made from. */
  shown(uid: string, uses: readonly string[]): void {
    const before = new Set(this.#allOf(uid).flatMap((thing) => thing.uses));
    const fqnOf = (one: string): string | undefined => this.byUid(one)?.fqn;
    const made = [...this.things.values()].map((thing) => thing.uid);
    const instead = (old: string): readonly string[] => {
      if (!before.has(old) || uses.includes(old)) return [old];
      const others = uses.filter((other) => fqnOf(other) === fqnOf(old));
      // A run beside another one may not have seen the newest copy.
      return others.some((other) => made.lastIndexOf(other) < made.lastIndexOf(old)) ? [old] : others;
    };
    for (const each of this.#familyOf(uid)) {
      each.uses = each.uses.flatMap(instead);
      each.refs = each.refs.flatMap(instead);
    }
  }

  /** More than one if it was unknown whether a create had taken effect. */
  #allOf(uid: string): Thing[] {
    return [...this.things.values()].filter((thing) => thing.uid === uid);
  }

  #familyOf(uid: string): Thing[] {
    const children = [...this.things.values()].filter(({ parent }) => parent === uid);
    return [...this.#allOf(uid), ...children.flatMap((child) => this.#familyOf(child.uid))];
  }

  #isOvertaken({ profile }: Pick<HandlerBase, "profile">): boolean {
    const process = this.#simulation.processes.find(({ name }) => name === profile);
    return process !== undefined && this.#warden.isOvertaken(process);
  }

  /**
   * A text of an excluded resource does not count as a use: that one may be made from this one, as far as the order
   * shows. A reference counts.
   */
  #usesOf({ profile = "", fqn }: HandlerBase): Intention {
    const intention = this.intention(profile, fqn) ?? NO_INTENTION;
    const { targets = [] } = this.#lucks.get(profile) ?? {};
    if (targets.length === 0) return intention;
    const isKnown = (uid: string): boolean => intention.refs.includes(uid) || this.#isSelected(uid, targets);
    return { ...intention, uses: intention.uses.filter(isKnown) };
  }

  #isSelected(uid: string, targets: readonly string[]): boolean {
    return (
      this.byUid(uid)
        ?.fqn.split("/")
        .some((name) => targets.includes(name)) === true
    );
  }
}
