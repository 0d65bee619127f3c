/** Points at which a run can be made to end: each has a name and a number. A run that ends there prints it. */
import { appendFileSync, writeSync } from "node:fs";

/** How a run ends at its point: it is killed, or it throws an uncaught error and continues until that is noticed. */
export type Ending = "killed" | "throws";

export interface Doom {
  /** Number of the point, from 0. */
  readonly at: number;
  readonly ending: Ending;
}

export class Points {
  readonly names: string[] = [];
  readonly #doom: Doom | undefined;

  constructor(doom?: Doom) {
    this.#doom = doom;
  }

  /** @param leave the partial effects of such a death, to be done at once */
  reach(name: string, leave: () => void = () => {}): void {
    const isLast = this.names.push(name) - 1 === this.#doom?.at;
    if (!isLast) return;
    leave();
    writeSync(1, name);
    if (this.#doom?.ending === "killed") process.kill(process.pid, "SIGKILL");
    queueMicrotask(() => {
      throw new Error(`after ${name}`);
    });
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** One name a line, the earlier ones of the file first. */
  writeTo(file: string): void {
    appendFileSync(file, this.names.map((name) => `${name}\n`).join(""));
  }
}
