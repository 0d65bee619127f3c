/** The world of users: services refuse, lag and answer late; things are there that this project has not made. */
import type { HandlerBase } from "../../../core/contract/definition.js";
import type { Plan } from "../../../core/contract/plan.js";
import type { ResourceRecord } from "../../../core/contract/record.js";
import type { SimulatedProcess } from "../../../core/testing/simulation/simulated-process.js";
import type { Simulation } from "../../../core/testing/simulation/simulation.js";
import type { Deployer } from "../history.ts";
import type { JournalWatch } from "../journal-watch.ts";
import type { KindName } from "../program.ts";
import type { Caller, Intention, Luck, Thing } from "../thing.ts";
import { World } from "../world.ts";
import { LAG } from "./kinds.ts";
import { type Refusal, refusalOf, SLOW, textOf } from "./refusals.ts";
import { type Run, wrongDelete } from "./runs.ts";

export class UsersWorld extends World {
  refusals: readonly Refusal[] = [];
  /** Of the plan that the next apply keeps to: FQNs of what it replaces or deletes. */
  planned: ReadonlySet<string> = new Set();
  /** FQNs of dependents that this plan deletes before it replaces what they use. */
  first: ReadonlySet<string> = new Set();
  readonly #runs = new Map<string, Run>();
  readonly #sim: Simulation;
  readonly #watch: JournalWatch;
  /** Names of things that others have made, and this stage has adopted to the end. */
  readonly #adopted = new Set<string>();

  constructor(simulation: Simulation, watch: JournalWatch, tell: (line: string) => void) {
    super(simulation, watch, tell);
    this.#sim = simulation;
    this.#watch = watch;
  }

  /** A process begins to run its program. */
  starts(process: string, deployer: Deployer, looks = false): void {
    const records = [...this.#watch.contents.records.values()];
    const copies = records.filter(({ replaced }) => replaced);
    const begun = records.filter(({ deletion }) => deletion?.before !== undefined);
    this.#runs.set(process, {
      deployer,
      declared: new Map(),
      destroyed: new Set(),
      begunFirst: new Set(begun.map(({ uid }) => uid)),
      oldCopies: new Set(copies.map(({ uid }) => uid)),
      applied: new Set(),
      looks,
      isPruning: false,
    });
  }

  /** What somebody else has made is this stage's once that is recorded. */
  settled(records: Iterable<ResourceRecord>): void {
    for (const { status, output } of records) {
      if (status === "ready") this.#adopted.add(String(Reflect.get(Object(output), "thing")));
    }
  }

  override enter(process: SimulatedProcess, luck: Luck, deployer?: Deployer): void {
    super.enter(process, luck);
    if (deployer) this.starts(process.name, deployer);
  }

  override intend(process: string, fqn: string, intention: Intention): void {
    super.intend(process, fqn, intention);
    const run = this.#runs.get(process);
    if (run && intention.declared) run.declared.set(fqn, intention.declared);
  }

  /** @param destroyer process whose program calls `engine.destroy()` */
  override ask(uid: string, destroyer?: string): void {
    super.ask(uid);
    if (destroyer !== undefined) this.#runs.get(destroyer)?.destroyed.add(uid);
  }

  override begin(caller: Caller, kind: KindName): SimulatedProcess {
    if (caller.phase === "create" || caller.phase === "update") {
      this.#runs.get(caller.profile ?? "")?.applied.add(caller.fqn);
    }
    return super.begin(caller, kind);
  }

  override request<T>(process: SimulatedProcess, what: string, effect: () => T, signal?: AbortSignal): Promise<T> {
    const how = refusalOf(this.refusals, what)?.how;
    if (how === undefined) return super.request(process, what, effect, signal);
    if (how === "slow") return this.#slowly(process, what, effect, signal);
    const refused = (): T => {
      if (how !== "lost") throw new Error(textOf(how, what));
      effect();
      throw new Error(`lost the reply to ${what}`);
    };
    return super.request(process, `${what} (${how})`, refused, signal);
  }

  #slowly<T>(process: SimulatedProcess, what: string, effect: () => T, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(new Error(`no ${what}: aborted`));
      };
      const cancel = process.wake(this.#sim.time.now + SLOW, () => {
        signal?.removeEventListener("abort", abort);
        super.request(process, what, effect, signal).then(resolve, reject);
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  override make(context: HandlerBase, kind: KindName, value: string, own?: string): Thing {
    const thing = super.make(context, kind, value, own);
    thing.title = value.split(" ")[1] ?? "";
    thing.since = this.#sim.time.now;
    return thing;
  }

  override change(context: HandlerBase, name: string, value: string): Thing {
    const before = this.things.get(name);
    if (before?.isForeign) this.#checkAdopter(context, before);
    const thing = super.change(context, name, value);
    thing.title ??= value.split(" ")[1] ?? "";
    return thing;
  }

  /** Resources: "To **import** what exists already, pass `adopt`." */
  #checkAdopter({ fqn, profile }: HandlerBase, { name }: Thing): void {
    const adopts = this.intention(profile ?? "", fqn)?.adopts === true;
    if (adopts || this.#adopted.has(name) || this.#isLate({ profile })) return;
    this.problems.push(`foreign: ${fqn} changed ${name}, which somebody else has made, and does not say adopt`);
  }

  /** Resources: "paths of props that keep their recorded values"; rule: a prop in `ignoreChanges` is not reverted. */
  tags({ fqn, profile, adopt }: HandlerBase, thing: Thing, tag: number): void {
    const step = this.#runs.get(profile ?? "")?.declared.get(fqn);
    if (step?.options.ignores && thing.tag !== undefined && thing.tag !== tag && !adopt) {
      this.problems.push(`reverted: the ignored tag of ${fqn} was changed from ${thing.tag} to ${tag}`);
    }
    thing.tag = tag;
  }

  /** Scopes: names are unique; rule: "a name is taken while any record … may hold it". */
  claims({ uid, fqn, profile }: HandlerBase, there: Thing | undefined): void {
    if (!there || there.isForeign || there.isStray || there.uid === uid || this.#isLate({ profile })) return;
    this.problems.push(`taken: a copy of ${fqn} is given the name ${there.name}, which one of ${there.fqn} has`);
  }

  /** One that a target leaves out is as it was, whatever the program says now. */
  override shown(uid: string, uses: readonly string[]): void {
    const targets = this.#runs.get(this.#sim.current?.name ?? "")?.deployer.targets ?? [];
    const names = this.byUid(uid)?.fqn.split("/") ?? [];
    if (targets.length === 0 || names.some((name) => targets.includes(name))) super.shown(uid, uses);
  }

  /** False while a `read` does not see it yet. */
  isSeen({ since = 0 }: Thing): boolean {
    return this.#sim.time.now >= since + LAG;
  }

  /** The program has declared all that it will, and what is left over is pruned. */
  prunes(process: string): void {
    const run = this.#runs.get(process);
    if (run) run.isPruning = true;
  }

  override deletes(context: HandlerBase): void {
    const { uid, profile = "", fqn } = context;
    const run = this.#runs.get(profile);
    const { contents } = this.#watch;
    const record = contents.records.get(uid);
    const isFirst = run?.deployer.does === "apply" && this.first.has(fqn);
    // A delete that a plan began is finished without one.
    const isBegun = run?.begunFirst.has(uid) === true;
    // Order: "A dependent that it updates stays".
    if (isFirst || isBegun) this.ask(uid);
    super.deletes(context);
    if (!run || !record || this.#isLate(context)) return;
    const thingOf = (one: string): Thing | undefined => this.byUid(one);
    this.problems.push(...wrongDelete({ run, record, contents, thingOf, isFirst: isFirst || isBegun }));
    if (run.deployer.does !== "apply") return;
    // Rule: "A candidate is deleted first only if a plan … replaces or deletes it."
    for (const other of this.things.values()) {
      if (other.uid === uid || !this.#watch.isRecorded(other) || !contents.records.get(other.uid)?.refs?.includes(uid))
        continue;
      // A replacement that only the handler asks for is in no plan.
      if (!this.planned.has(fqn)) continue;
      if (this.planned.has(other.fqn) && contents.records.get(uid)?.replaced !== true) {
        this.problems.push(`ahead: ${fqn} was deleted before ${other.fqn}, which uses it, and which the plan replaces`);
      }
    }
  }

  /** A service deletes what has the name, whose ever it is. */
  override remove(context: HandlerBase, name: string): void {
    const thing = this.things.get(name);
    if (!thing) return;
    const user = [...this.things.values()].find((other) => other !== thing && other.value.includes(`"${thing.uid}"`));
    if (thing.kind === "needed" && user) {
      throw new Error(`no delete ${context.fqn}: ${name} is in use by ${user.name}`);
    }
    if (!this.#isLate(context)) this.#checkOwner(context, thing);
    this.#adopted.delete(name);
    this.things.delete(name);
  }

  /** The user deletes retained things that use others: they would be in the way for good. False if there are none. */
  letGo(): boolean {
    const isInTheWay = (thing: Thing): boolean => thing.released === true && /"[0-9a-f-]{36}"/.test(thing.value);
    const found = [...this.things.values()].filter((thing) => isInTheWay(thing) && !this.#watch.isRecorded(thing));
    for (const { name } of found) this.things.delete(name);
    return found.length > 0;
  }

  /** Rule: "the engine deletes a real resource only if it created it or finished adopting it". */
  #checkOwner({ fqn, uid }: HandlerBase, { name, isForeign, released, uid: own }: Thing): void {
    if (isForeign && !this.#adopted.has(name)) {
      this.problems.push(`foreign: ${fqn} deleted ${name}, which somebody else has made, and which was never adopted`);
    } else if (!isForeign && own !== uid) {
      this.problems.push(
        `other: the delete of one copy of ${fqn} took ${name}, which is ${released ? "retained" : "another one"}`,
      );
    }
  }

  /** What is kept for good belongs to nobody from now on. */
  override release(fqn: string, reason = ""): void {
    if (reason.startsWith("retainOnDelete")) super.release(fqn);
  }

  /** Of the plan that was saved last. */
  foresee({ actions }: Plan): void {
    const gone = actions.filter(({ action }) => action === "replace" || action === "delete");
    this.planned = new Set(gone.map(({ fqn }) => fqn));
    this.first = new Set(actions.flatMap(({ deletesFirst = [] }) => deletesFirst));
  }

  #isLate({ profile }: Pick<HandlerBase, "profile">): boolean {
    const process = this.#sim.processes.find(({ name }) => name === profile);
    return process !== undefined && this.#watch.isOvertaken(process);
  }
}
