/** Follows the journals of both stages. */
import type { StoreTraits } from "../../../plugins/testing/simulation/machine.js";
import type { SimulatedProcess } from "../../../plugins/testing/simulation/simulated-process.js";
import type { StoreWrite } from "../../../plugins/testing/simulation/simulated-store.js";
import type { VirtualTime } from "../../../plugins/testing/simulation/virtual-time.js";
import type { StageName } from "../history.ts";
import { JournalWatch } from "../journal-watch.ts";
import type { Call, Thing, Warden } from "../thing.ts";

export class Wardens implements Warden {
  readonly #both: Readonly<Record<StageName, JournalWatch>>;

  constructor(time: VirtualTime, traits: StoreTraits) {
    this.#both = { dev: new JournalWatch(time, traits), next: new JournalWatch(time, traits, "next") };
  }

  observe = (write: StoreWrite): void => {
    for (const one of this.#all) one.observe(write);
  };

  at(stage: StageName): JournalWatch {
    return this.#both[stage];
  }

  get #all(): readonly JournalWatch[] {
    return Object.values(this.#both);
  }

  get problems(): string[] {
    return this.#all.flatMap(({ problems }) => problems.splice(0));
  }

  begins(process: SimulatedProcess, call: Call): readonly string[] {
    return this.at(call.fqn.startsWith("app/next/") ? "next" : "dev").begins(process, call);
  }

  isOvertaken(process: SimulatedProcess): boolean {
    return this.#all.some((one) => one.isOvertaken(process));
  }

  isRecorded(thing: Thing): boolean {
    return this.#all.some((one) => one.isRecorded(thing));
  }

  uidsAt(fqn: string): ReadonlySet<string> {
    return new Set(this.#all.flatMap((one) => [...one.uidsAt(fqn)]));
  }

  nameOf(uid: string): string | undefined {
    return this.#all.map((one) => one.nameOf(uid)).find((name) => name !== undefined);
  }

  isSettled(uid: string): boolean {
    return this.#all.some((one) => one.isSettled(uid));
  }

  deletersOf(uid: string): readonly string[] {
    return this.#all.flatMap((one) => one.deletersOf(uid));
  }

  isProtected(uid: string): boolean {
    return this.#all.some((one) => one.isProtected(uid));
  }
}
