/** The world of users: services refuse, lag and answer late; some resources were made by others. */
import { type HandlerBase, PartlyDeleted, type Plan, type ResourceRecord } from "../../../core/contract/index.js";
import type { SimulatedProcess } from "../../../plugins/testing/simulation/simulated-process.js";
import type { Simulation } from "../../../plugins/testing/simulation/simulation.js";
import { outputOf } from "../handlers.ts";
import type { Deployer } from "../history.ts";
import type { JournalWatch } from "../journal-watch.ts";
import type { KindName } from "../program.ts";
import type { Caller, Intention, Luck, Thing } from "../thing.ts";
import { World } from "../world.ts";
import { LAG } from "./kinds.ts";
import { makesNothing, type Refusal, refusalOf, refused, SLOW } from "./refusals.ts";
import { formerNames, type Run, wrongDelete } from "./runs.ts";

/** Number of parts of a resource that is deleted part by part. */
const PARTS = 2;

export class UsersWorld extends World {
  refusals: readonly Refusal[] = [];
  /** FQNs that the plan of the next apply replaces or deletes. */
  planned: ReadonlySet<string> = new Set();
  /** FQNs of dependents that this plan deletes before it replaces the resources that they use. */
  first: ReadonlySet<string> = new Set();
  readonly #runs = new Map<string, Run>();
  readonly #sim: Simulation;
  readonly #watch: JournalWatch;
  /** Names of foreign resources that this stage has completely adopted. */
  readonly #adopted = new Set<string>();

  constructor(simulation: Simulation, watch: JournalWatch, tell: (line: string) => void) {
    super(simulation, watch, tell);
    this.#sim = simulation;
    this.#watch = watch;
  }

  /** A process begins to run its program. */
  starts(process: string, deployer: Deployer, looks = false): void {
    const records = [...this.#watch.contents.records.values()];
    const current = records.filter(({ replaced }) => !replaced);
    this.#runs.set(process, {
      deployer,
      declared: new Map(),
      destroyed: new Set(),
      continued: new Set(records.filter(({ deletion }) => deletion?.by === "replace").map(({ uid }) => uid)),
      oldCopies: new Set(records.filter(({ replaced }) => replaced).map(({ uid }) => uid)),
      retained: new Map(current.map(({ key, retain = false }) => [key, retain])),
      applied: new Set(),
      tokens: new Map(),
      began: this.#sim.time.now,
      looks,
      isPruning: false,
    });
  }

  /** Time at which a process last began to run its program. */
  beganAt(process: string): number {
    return this.#runs.get(process)?.began ?? 0;
  }

  /** A foreign or retained resource belongs to this stage once it is recorded. */
  settled(records: Iterable<ResourceRecord>): void {
    for (const { status, output } of records) {
      if (status !== "ready") continue;
      const name = String(Reflect.get(Object(output), "thing"));
      this.#adopted.add(name);
      const thing = this.things.get(name);
      if (thing?.isReturning) Object.assign(thing, { isReturning: false, released: false, isKept: false });
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

  /** @param destroyer process whose program calls `engine.destroy()`, which also deletes old copies */
  override ask(uid: string, destroyer?: string): void {
    super.ask(uid, destroyer);
    const destroyed = this.#runs.get(destroyer ?? "")?.destroyed;
    for (const one of [uid, ...this.#watch.uidsAt(this.byUid(uid)?.fqn ?? "")]) destroyed?.add(one);
  }

  /** An interrupted create is called as it was declared then; the update after it may declare less. */
  #declaresAnew(process: string, uid: string): void {
    const declared = this.#runs.get(process)?.declared;
    for (const fqn of declared?.keys() ?? []) if (this.intention(process, fqn)?.parent === uid) declared?.delete(fqn);
  }

  override begin(caller: Caller, kind: KindName): SimulatedProcess {
    const { phase, fqn, uid, token } = caller;
    const run = this.#runs.get(caller.profile ?? "");
    if (phase === "create" || phase === "update") run?.applied.add(fqn);
    if (phase === "create" || phase === "update") this.#declaresAnew(caller.profile ?? "", uid);
    if (phase === "create" && run) {
      // Writing resources: within a run, `retry` uses the same token, unless its parent is retried and it made nothing.
      const hasEnded = makesNothing(this.refusals, fqn) && !run.declared.get(fqn)?.options.retry;
      if (!hasEnded && (run.tokens.get(uid) ?? token) !== token)
        this.problems.push(`token: a retried create of ${fqn} has another token`);
      run.tokens.set(uid, token);
    }
    return super.begin(caller, kind);
  }

  override request<T>(process: SimulatedProcess, what: string, effect: () => T, signal?: AbortSignal): Promise<T> {
    const how = refusalOf(this.refusals, what)?.how;
    if (how === undefined || how === "partly") return super.request(process, what, effect, signal);
    if (how === "slow") return this.#slowly(process, what, effect, signal);
    const refuse = (): T => {
      if (how !== "lost") throw refused(how, what);
      effect();
      throw new Error(`lost the reply to ${what}`);
    };
    return super.request(process, `${what} (${how})`, refuse, signal);
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
    const isReleased = before?.released === true && !before.isForeign;
    const thing = super.change(context, name, value);
    // Resources: a failed adoption records nothing.
    if (isReleased) Object.assign(thing, { isReturning: true, released: true });
    thing.title ??= value.split(" ")[1] ?? "";
    thing.rest = undefined;
    return thing;
  }

  /** Resources: to import an existing resource, pass `adopt`. */
  #checkAdopter({ fqn, profile }: HandlerBase, { name }: Thing): void {
    const adopts = this.intention(profile ?? "", fqn)?.adopts === true;
    if (adopts || this.#adopted.has(name) || this.#isLate({ profile })) return;
    this.problems.push(`unadopted: ${fqn} changed ${name}, which others made, and does not say adopt`);
  }

  /** Resources: a prop in `ignoreChanges` keeps its recorded value, and is not reverted. */
  tags({ fqn, profile, adopt }: HandlerBase, thing: Thing, tag: number): void {
    const step = this.#runs.get(profile ?? "")?.declared.get(fqn);
    if (step?.options.ignores && thing.tag !== undefined && thing.tag !== tag && !adopt) {
      this.problems.push(`reverted: the ignored tag of ${fqn} was changed from ${thing.tag} to ${tag}`);
    }
    thing.tag = tag;
  }

  /** Scopes: names are unique. Rule: a name is taken while any record may hold it. */
  claims({ uid, fqn, profile }: HandlerBase, there: Thing | undefined): void {
    if (!there || there.isForeign || there.isStray || there.uid === uid || this.#isLate({ profile })) return;
    this.problems.push(`taken: a copy of ${fqn} is given the name ${there.name}, which one of ${there.fqn} has`);
  }

  /** A resource that a target excludes is unchanged, whatever the program says now. */
  override shown(uid: string, uses: readonly string[]): void {
    const targets = this.#runs.get(this.#sim.current?.name ?? "")?.deployer.targets ?? [];
    const names = this.byUid(uid)?.fqn.split("/") ?? [];
    if (targets.length === 0 || names.some((name) => targets.includes(name))) super.shown(uid, uses);
  }

  /** False while a `read` does not see it yet. */
  isSeen({ since = 0 }: Thing): boolean {
    return this.#sim.time.now >= since + LAG;
  }

  /** The program has made all its declarations, and the others are pruned. */
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
    // Lifecycle: if a pending replacement is still declared, the run deletes again, creates, then updates dependents.
    const isContinued = run?.continued.has(uid) === true && run.declared.has(fqn);
    // Order: a dependent that is updated stays.
    if (isFirst || isContinued) this.ask(uid);
    super.deletes(context);
    if (!run || !record || this.#isLate(context)) return;
    // If repeated creates made several, the newest one is recorded.
    const newest = new Map([...this.things.values()].map((thing) => [thing.uid, thing]));
    this.problems.push(...wrongDelete({ run, record, contents, thingOf: (one) => newest.get(one), isFirst }));
    if (run.deployer.does !== "apply") return;
    // Rule: a candidate is deleted first only if a plan replaces or deletes it.
    for (const other of this.things.values()) {
      if (other.uid === uid || !this.#watch.isRecorded(other) || !contents.records.get(other.uid)?.refs?.includes(uid))
        continue;
      // A replacement that only the handler requests is in no plan.
      if (!this.planned.has(fqn)) continue;
      if (this.planned.has(other.fqn) && contents.records.get(uid)?.replaced !== true) {
        this.problems.push(`ahead: ${fqn} was deleted before ${other.fqn}, which uses it, and which the plan replaces`);
      }
    }
  }

  /** A service deletes the resource of that name, even another owner's. */
  override remove(context: HandlerBase, name: string): void {
    const thing = this.things.get(name);
    if (!thing) return;
    const user = [...this.things.values()].find((other) => other !== thing && other.value.includes(`"${thing.uid}"`));
    if (thing.kind === "needed" && user) {
      throw new Error(`no delete ${context.fqn}: ${name} is in use by ${user.name}`);
    }
    if (!this.#isLate(context)) this.#checkOwner(context, thing);
    if (refusalOf(this.refusals, `delete ${context.fqn}`)?.how === "partly" && thing.rest !== 0) {
      thing.rest = (thing.rest ?? PARTS) - 1;
      throw new PartlyDeleted(`no delete ${context.fqn}: ${thing.rest} parts are locked`, outputOf(thing));
    }
    this.#adopted.delete(name);
    this.things.delete(name);
  }

  /** The user deletes retained resources that use others and would block them for good. False if there are none. */
  letGo(): boolean {
    const isInTheWay = (thing: Thing): boolean => thing.released === true && /"[0-9a-f-]{36}"/.test(thing.value);
    const found = [...this.things.values()].filter((thing) => isInTheWay(thing) && !this.#watch.isRecorded(thing));
    for (const { name } of found) this.things.delete(name);
    return found.length > 0;
  }

  /** Rule: the engine deletes a real resource only if it created it or finished adopting it. */
  #checkOwner({ fqn, uid }: HandlerBase, { name, isForeign, isKept, released, uid: own }: Thing): void {
    if (isKept) this.problems.push(`kept: ${fqn} deleted ${name}, which the user keeps for good`);
    if (isForeign && !this.#adopted.has(name)) {
      this.problems.push(`foreign: ${fqn} deleted ${name}, which somebody else has made, and which was never adopted`);
    } else if (!isForeign && own !== uid) {
      this.problems.push(
        `another: the delete of one copy of ${fqn} took ${name}, which is ${released ? "retained" : "another one"}`,
      );
    }
  }

  /** A resource kept for good has no owner from now on. Until that is durable, its record may have an earlier name. */
  override release(fqn: string, reason = "", process = ""): void {
    if (!reason.startsWith("retainOnDelete")) return;
    super.release(fqn);
    for (const former of formerNames(fqn, this.#runs.get(process)?.declared)) super.release(former);
    // The result of its adoption may become durable after this.
    for (const thing of this.things.values()) if (thing.fqn === fqn) thing.isReturning = false;
  }

  /** `engine state keep X --copy UID`: an old copy stays as it is with its children, and is no longer recorded. */
  keepBelow(uid: string): void {
    for (const thing of this.things.values()) {
      if (thing.uid === uid) Object.assign(thing, { released: true, isKept: true });
      if (thing.parent === uid) this.keepBelow(thing.uid);
    }
  }

  /** A user's command has forgotten a resource, and so its children. */
  forgetBelow(uid: string): void {
    for (const thing of this.things.values()) {
      if (thing.parent !== uid) continue;
      thing.released = true;
      this.forgetBelow(thing.uid);
    }
  }

  /** Takes the actions of the last saved plan. */
  foresee({ actions }: Plan): void {
    const gone = actions.filter(({ action, replaced }) => action === "replace" || (action === "delete" && !replaced));
    this.planned = new Set(gone.map(({ fqn }) => fqn));
    this.first = new Set(actions.flatMap(({ deletesFirst = [] }) => deletesFirst));
  }

  #isLate({ profile }: Pick<HandlerBase, "profile">): boolean {
    const process = this.#sim.processes.find(({ name }) => name === profile);
    return process !== undefined && this.#watch.isOvertaken(process);
  }
}
