/** The end of a life: nothing fails any more, and the means that the guide names must lead to an unchanged run. */
import { isEngineError } from "../../../core/base/index.js";
import type { Plan } from "../../../core/contract/index.js";
import { CALM, calm } from "../calm.ts";
import { errorsOf, isInPlaceOfDeleted, isOfCreateBegunBefore, nameOf } from "../expected.ts";
import type { Deployer } from "../history.ts";
import { converged, keptPlan, leftBehind, stateIn } from "../oracles.ts";
import { isInUse, userIn } from "./expected.ts";
import type { Deployed, Life } from "./live.ts";
import { createFirst, restful } from "./restful.ts";
import { settle } from "./settle.ts";

/** Maximum number of runs of a user who does what the errors say. */
const MOST = 6;

export class Ending {
  readonly #life: Life;
  /** A protected resource that is no longer declared, or one that no command settles, prevents an unchanged run. */
  #isHeldUp = false;

  constructor(life: Life) {
    this.#life = life;
  }

  async run(): Promise<void> {
    const life = this.#life;
    while (life.simulation.time.step());
    life.program = restful(calm(life.program), life.program);
    life.note(`program ${JSON.stringify(life.program)}`);
    const planned = await life.deploy({ ...CALM, does: "plan" });
    const first = await life.deploy(CALM);
    const hasFailed = errorsOf(first.run).length > 0;
    if (hasFailed) await this.#goOn(first);
    if (life.problems.length > 0 || this.#isHeldUp) return;
    const state = await stateIn(life.store);
    const { things } = life.world;
    for (const { key, status, replaced, deleteFailed } of state.contents.records.values()) {
      if (deleteFailed === undefined || replaced || status !== "ready") continue;
      life.problems.push(`unsettled: ${key} is declared and found, and its failed delete is still recorded`);
    }
    for (const { name, fqn, rest } of things.values()) {
      const isDeclared = [...state.contents.records.values()].some(({ output }) => thingIn(output) === name);
      if (isDeclared && rest !== undefined) life.problems.push(`partly: ${fqn} is declared, and has ${rest} parts`);
    }
    life.problems.push(...converged({ program: life.program, state, things, told: life.ground.told }));
    const { outcome } = planned.run;
    if (!hasFailed && outcome && "value" in outcome) {
      const own = life.ground.deeds.filter(({ process }) => process === first.run.process.name);
      life.problems.push(...keptPlan(outcome.value as Plan, own, state.contents));
    }
    await this.#mustDoNothing();
    if (life.problems.length > 0) return;
    const destroying = { ...CALM, does: "destroy", parallel: true } as const;
    let destroyed = await life.deploy(destroying);
    // Resources that the destroy retains prevent the rest.
    if (errorsOf(destroyed.run).some(isInUse) && life.world.letGo()) destroyed = await life.deploy(destroying);
    for (const error of errorsOf(destroyed.run)) {
      this.#isHeldUp ||= this.#isUsedByOthers(error);
      this.#refuse(error, destroyed);
    }
    if (!this.#isHeldUp) life.problems.push(...leftBehind(await stateIn(life.store)));
  }

  /** Runs, and does what the errors say, until a run succeeds. */
  async #goOn(failed: Deployed): Promise<void> {
    const life = this.#life;
    let last = failed;
    for (let tries = 0; tries < MOST; tries++) {
      const errors = errorsOf(last.run);
      for (const error of errors) this.#refuse(error, last);
      this.#isHeldUp ||= errors.some((error) => this.#isUsedByOthers(error));
      if (errors.length === 0 || life.problems.length > 0 || this.#isHeldUp) return;
      const settled = await settle(life, errors);
      this.#isHeldUp ||= settled === "stuck";
      if (this.#isHeldUp) return;
      if (settled === "done") last = await life.deploy(CALM);
      else if (errors.some(isInUse)) last = await this.#replaceInUse(tries);
      else last = await life.deploy(CALM);
    }
    const left = errorsOf(last.run).map(nameOf);
    if (left.length > 0) life.problems.push(`locked: ${MOST} runs later the stage still fails: ${left.join("; ")}`);
  }

  /** Order: create first, or `engine plan --out FILE` and `engine up --plan FILE`. */
  async #replaceInUse(tries: number): Promise<Deployed> {
    const life = this.#life;
    life.world.letGo();
    if (tries > 1) {
      life.program = createFirst(life.program);
      return life.deploy(CALM);
    }
    const planned = await life.deploy({ ...CALM, does: "plan" });
    if (errorsOf(planned.run).length > 0) return planned;
    return life.deploy({ ...CALM, does: "apply" });
  }

  /** No run of this stage deletes resources that others made, or that it retains. */
  #isUsedByOthers(error: unknown): boolean {
    const { world, watch } = this.#life;
    const user = world.things.get(userIn(error) ?? "");
    return user !== undefined && !watch.isRecorded(user);
  }

  #refuse(error: unknown, { run, deployer }: Deployed): void {
    const { ground, world, problems } = this.#life;
    if (isEngineError(error, "PROTECTED")) {
      this.#isHeldUp = true;
      return;
    }
    if (isEngineError(error, "UNRESOLVED") || isInUse(error) || isOfApply(error, deployer)) return;
    if (isOfCreateBegunBefore(error, ground.told) || isInPlaceOfDeleted(error, world.calls)) return;
    if (isEngineError(error, "HANDLER_FAILED") && /is there to be changed/.test(error.message)) return;
    problems.push(`failed: a calm ${deployer.does} failed (${run.process.name}): ${nameOf(error)}`);
  }

  async #mustDoNothing(): Promise<void> {
    const life = this.#life;
    const [lines, calls] = [life.trace.length, life.world.calls.length];
    const { run } = await life.deploy(CALM);
    for (const error of errorsOf(run)) life.problems.push(`failed: an unchanged up failed: ${nameOf(error)}`);
    const { records } = (await stateIn(life.store)).contents;
    if ([...records.values()].some(({ status }) => status !== "ready")) return;
    const writes = life.trace.slice(lines).filter((line) => /^\S+ \S+ (create|append|set|delete) /.test(line));
    const made = life.world.calls.slice(calls).filter(({ phase }) => phase !== "read");
    for (const { phase, fqn } of made) life.problems.push(`idle: an unchanged up called ${phase} of ${fqn}`);
    for (const line of writes) life.problems.push(`idle: an unchanged up wrote ${line.split(" ", 4).join(" ")}`);
    const planned = (await life.deploy({ ...CALM, does: "plan" })).run.outcome;
    if (!planned || !("value" in planned)) return;
    for (const { action, fqn, reason } of (planned.value as Plan).actions) {
      life.problems.push(`planned: ${action} of ${fqn}, though nothing is to be done: ${reason}`);
    }
  }
}

function thingIn(output: unknown): unknown {
  return Reflect.get(Object(output), "thing");
}

const APPLYING = ["PLAN_STALE", "PLAN_FAILED", "PLAN_MISMATCH"] as const;

function isOfApply(error: unknown, { does }: Deployer): boolean {
  return does === "apply" && APPLYING.some((code) => isEngineError(error, code));
}
