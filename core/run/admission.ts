/** One task on its way: from when it is known, through the admission queue, to the end of its handler. */

import { monotonicNow } from "../base/index.js";
import { INTERNALS, type Scope } from "../contract/index.js";
import type { ScopeHost } from "../scope/index.js";
import type { AdmissionQueue } from "./admission-queue.js";

interface Declaring {
  readonly app: ScopeHost;
  readonly scope: Scope;
}

export class Admission {
  readonly #queue: AdmissionQueue;
  readonly #queued = monotonicNow();
  #stage: "queued" | "inside" | "over" = "queued";
  /** When the call began that is under way. */
  #began: number | undefined = undefined;
  #hasStarted = false;
  #waited = 0;
  #duration = 0;

  constructor(queue: AdmissionQueue) {
    this.#queue = queue;
    queue.queued++;
  }

  /**
   * Resolves when there is room to write an intent; undefined where there is. A handler that declares something, and waits for it,
   * has lent its own slot to others meanwhile.
   *
   * @throws what the run was interrupted with meanwhile
   */
  admit({ app, scope }: Declaring): Promise<void> | undefined {
    const admitted = this.requestRoom();
    if (!admitted) return undefined;
    const slot = scope[INTERNALS].resource?.slot;
    slot?.lend();
    return admitted.then(() => {
      slot?.giveBack();
      app.signal.throwIfAborted();
    });
  }

  /** Asks for room to write an intent, once. Undefined where there is room, and where it was asked for before. */
  requestRoom(): Promise<void> | undefined {
    if (this.#stage !== "queued") return undefined;
    this.#stage = "inside";
    return this.#queue.admit();
  }

  /** A call of its handler begins: the first one, or a retry. */
  begin(): void {
    const now = monotonicNow();
    if (!this.#hasStarted) this.#waited = now - this.#queued;
    this.#hasStarted = true;
    this.leave();
    this.#began = now;
  }

  /** That call has ended. */
  end(): void {
    if (this.#began !== undefined) this.#duration += monotonicNow() - this.#began;
    this.#began = undefined;
  }

  /** It waits no more: its handler has begun, or never will. */
  leave(): void {
    if (this.#stage === "over") return;
    this.#queue.queued--;
    if (this.#stage === "inside") this.#queue.leave();
    this.#stage = "over";
  }

  /** A call of its handler has begun. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Milliseconds until its handler began. */
  get waited(): number {
    return this.#waited;
  }

  /** Milliseconds that its handler took, all calls together. */
  get duration(): number {
    return this.#duration;
  }
}
