/** Sees what simulated processes ask a store to write, and which of them have a session open. */
import type { StateStore } from "../../../core/contract/index.js";
import type { Change, Entry } from "../../../core/state/index.js";
import { WRITES } from "../mortal-store.js";
import type { SimulatedProcess } from "../simulation/simulated-process.js";

/** A process has asked for a session. */
interface Opening {
  readonly process: SimulatedProcess;
  /** Number of its entry in the journal. */
  readonly seq: number;
  /** The store has said that the entry was there before, and nothing shows yet whose it is. */
  isDoubtful: boolean;
}

export class StoreWatch {
  /** What was written, or was to be, a line each. */
  readonly writes: string[] = [];
  readonly #openings: Opening[] = [];
  /** Paths of resources by their uids. */
  readonly #paths = new Map<string, string>();
  readonly #note: (line: string) => void;

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** A handler of the process begins: false where it holds no session. */
  begins(process: SimulatedProcess): boolean {
    const own = this.#openings.filter((opening) => opening.process === process);
    for (const opening of own) opening.isDoubtful = false;
    return own.length > 0;
  }

  /** True from the moment when another process asks for a later session. */
  isOvertaken(process: SimulatedProcess): boolean {
    const own = this.#openings.filter((opening) => opening.process === process);
    if (own.length === 0) return false;
    const last = Math.max(...own.map(({ seq }) => seq));
    return this.#openings.some(({ seq, isDoubtful }) => seq > last && !isDoubtful);
  }

  /** The store as one process has it. */
  client(process: SimulatedProcess, inner: StateStore): StateStore {
    return new Proxy(Object.create(inner), {
      get: (_, name) => {
        const member: unknown = Reflect.get(inner, name);
        if (typeof member !== "function") return member;
        if (!WRITES.has(name)) return member.bind(inner);
        return (...args: unknown[]): unknown =>
          this.#write(process, String(name), args, () => member.apply(inner, args));
      },
    });
  }

  #write(process: SimulatedProcess, op: string, [key, text]: readonly unknown[], act: () => unknown): unknown {
    const entries = entriesOf(key, text);
    const { seq } = entries.find(({ open }) => open) ?? {};
    const opening = seq === undefined ? undefined : { process, seq, isDoubtful: false };
    if (opening) this.#openings.push(opening);
    const line = `${op} ${typeof key === "string" ? key : JSON.stringify(key)}${this.#summaryOf(entries)}`;
    this.writes.push(line);
    this.#note(`${process.name} asks the store: ${line}`);
    const answered = (answer: unknown): unknown => {
      // It may be its own all the same, where the request was repeated.
      if (opening && answer === false) opening.isDoubtful = true;
      if (answer === false) this.#note(`${process.name} is told: no ${op} of ${key}`);
      return answer;
    };
    const refused = (error: unknown): never => {
      this.#note(`${process.name} is told: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    };
    const answer = act();
    return answer instanceof Promise ? answer.then(answered, refused) : answered(answer);
  }

  #summaryOf(entries: readonly Entry[]): string {
    const parts = entries.flatMap(({ open, ops = [], close }) => [
      ...(open ? ["opens a session"] : []),
      ...ops.map((change) => this.#changeText(change)),
      ...(close ? ["closes the session"] : []),
    ]);
    return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  }

  #changeText(change: Change): string {
    switch (change.op) {
      case "put":
        this.#paths.set(change.record.uid, change.record.key);
        return `${change.record.key} is ${change.record.status}`;
      case "patch":
        return `${this.#paths.get(change.uid) ?? change.uid} is ${change.set?.status ?? "changed"}`;
      case "drop":
        return `${this.#paths.get(change.uid) ?? change.uid} is gone`;
      case "place":
        return "the order";
      case "data":
        return `${change.key} of ${change.owner}`;
      case "forget":
        return `nothing of ${change.owner}`;
    }
  }
}

/** The entries of a journal that a text adds; none where it is another one. */
function entriesOf(key: unknown, text: unknown): readonly Entry[] {
  if (typeof key !== "string" || typeof text !== "string" || !/\/journal\/\d{12}$/.test(key)) return [];
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}
