/** Texts on their way from one store to another, and whether they have arrived. */
import { EngineError, messageOf, nodeCrypto } from "../../base/index.js";
import type { StateStore } from "../../contract/index.js";
import { nameOf } from "./moving.js";

export interface TransferSettings {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Keys that were in the other store before. */
  readonly there: ReadonlySet<string>;
  /** How many texts there will be. */
  readonly count: number;
  readonly signal: AbortSignal;
  /** Called after every few texts; each is counted twice: when it is copied, and when it is compared. */
  progress?(done: number, all: number): void;
}

export interface Text {
  readonly key: string;
  readonly text: string;
}

/** Small texts are read so many at once. */
export const BATCH = 16;

export class Transfer {
  readonly #settings: TransferSettings;
  readonly #digests = new Map<string, string>();
  #done = 0;

  constructor(settings: TransferSettings) {
    this.#settings = settings;
  }

  /** Copies small texts; gives those in whose place there is something else. */
  async copy(keys: readonly string[]): Promise<readonly Text[]> {
    const { from } = this.#settings;
    const others: Text[] = [];
    for (let at = 0; at < keys.length; at += BATCH) {
      const batch = keys.slice(at, at + BATCH);
      const texts = await from.getMany(batch);
      const put = await Promise.allSettled(texts.map((text, index) => this.#put(batch[index] ?? "", text)));
      for (const one of put) {
        if (one.status === "rejected") throw one.reason;
        if (one.value) others.push(one.value);
      }
      this.#report(batch.length);
    }
    return others;
  }

  /** Copies large texts, one after the other, over what may be there. */
  async copyOver(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const other = await this.#put(key, await this.#settings.from.get(key));
      if (other) await this.replace([other]);
      this.#report(1);
    }
  }

  async replace(texts: readonly Text[]): Promise<void> {
    for (const { key, text } of texts) await this.#settings.to.set(key, text);
  }

  /** Takes away what was there before, and is not in the store that it is copied from. */
  async dropOthers(): Promise<void> {
    const { there, to } = this.#settings;
    const others = [...there].filter((key) => !this.#digests.has(key));
    if (others.length > 0) await to.deleteMany(others);
  }

  /** @throws EngineError `STORE_FAILED` where a text cannot be read back as it was written */
  async compare(keys: readonly string[], atOnce: number): Promise<void> {
    const { to } = this.#settings;
    const written = keys.filter((key) => this.#digests.has(key));
    for (let at = 0; at < written.length; at += atOnce) {
      const batch = written.slice(at, at + atOnce);
      const texts = await to.getMany(batch);
      const wrong = batch.find((key, index) => digestOf(texts[index] ?? "") !== this.#digests.get(key));
      if (wrong !== undefined) {
        throw new EngineError(
          "STORE_FAILED",
          `${nameOf(to)} does not give "${wrong}" back as it was written. Nothing was moved: the state is in use where it was.`,
        );
      }
      this.#report(batch.length);
    }
  }

  /** What went away since it was listed was trimmed. Gives the text where something else is in its place. */
  async #put(key: string, text: string | undefined): Promise<Text | undefined> {
    if (text === undefined) return undefined;
    const { to, there } = this.#settings;
    this.#digests.set(key, digestOf(text));
    if (!there.has(key) && (await to.create(key, text))) return undefined;
    return (await to.get(key)) === text ? undefined : { key, text };
  }

  #report(count: number): void {
    const { signal, count: all, progress } = this.#settings;
    if (signal.aborted) {
      const why = signal.reason === undefined ? "" : `: ${messageOf(signal.reason)}`;
      throw new EngineError("ABORTED", `The move was aborted by its signal${why}. The state is in use where it was.`);
    }
    this.#done += count;
    progress?.(this.#done, 2 * all);
  }
}

function digestOf(text: string): string {
  return nodeCrypto().hash("sha256", text, "hex");
}
