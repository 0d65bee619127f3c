/** Calls that a handler makes on clients of its author's, between which a run can be killed. */

/** A run as faults see it. */
export interface MortalRun {
  isDead(): boolean;
  /** @param when such as `after step 1 of the create of "test/test/a"` */
  die(when: string): void;
}

/** Those of one call of a handler. */
export class Steps {
  readonly #run: MortalRun;
  readonly #handler: string;
  readonly #last: number | undefined;
  #taken = 0;

  /** @param handler such as `the create of "test/test/a"`. @param last after which the run is killed */
  constructor(run: MortalRun, handler: string, last: number | undefined) {
    this.#run = run;
    this.#handler = handler;
    this.#last = last;
  }

  take(call: () => unknown): unknown {
    // A killed process calls nothing.
    if (this.#run.isDead()) throw dead();
    if (this.#last === 0) this.#die();
    const answer = call();
    this.#taken += 1;
    if (this.#taken !== this.#last) return answer;
    if (!(answer instanceof Promise)) this.#die();
    const die = (): never => this.#die();
    return answer.then(die, die);
  }

  #die(): never {
    const when = this.#taken === 0 ? "before the first step" : `after step ${this.#taken}`;
    this.#run.die(`${when} of ${this.#handler}`);
    throw dead();
  }
}

function dead(): Error {
  return new Error("The process that called this was killed.");
}

/** @param step makes a call, or does not */
export function steppingClient<T extends object>(client: T, step: (call: () => unknown) => unknown): T {
  const known = new WeakMap<object, object>();
  const wrapped = (member: unknown, owner: object | undefined): unknown => {
    if (typeof member === "function") {
      return new Proxy(member, { apply: (target, _, args) => step(() => Reflect.apply(target, owner, args)) });
    }
    if (typeof member !== "object" || member === null || member instanceof Promise) return member;
    const made = known.get(member) ?? holding(member);
    known.set(member, made);
    return made;
  };
  // Not the object itself: of one that is frozen a proxy could show no other members.
  const holding = (target: object): object =>
    new Proxy(Object.create(target), {
      get: (_, name) => wrapped(Reflect.get(target, name), target),
      set: (_, name, value) => Reflect.set(target, name, value),
    });
  return wrapped(client, undefined) as T;
}
