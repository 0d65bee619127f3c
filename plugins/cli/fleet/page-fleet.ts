/** Conducts a fleet in the process of `engine ui`. */
import { withResolvers } from "../../../core/base/index.js";
import { setHost } from "../../../core/plugin/index.js";
import { describeError } from "../../internal/text/describe-error.js";
import type { OwnFleet } from "../../ui/sources/index.js";
import { say } from "../output.js";
import type { RanEntry } from "../run-entry.js";
import { type FleetCall, type LoadedFleet, loadedFrom, recordOptions } from "./load-fleet.js";
import { runOptions } from "./run-fleet.js";

interface PageFleet {
  readonly own: OwnFleet;
  /** Interrupts the run of this process. Resolves once it has ended. */
  end(): Promise<void>;
}

/** Returns undefined if the program exports no fleet. */
export function pageFleet(
  ran: RanEntry & { readonly entry: string },
  { file, given, flags }: Pick<FleetCall, "file" | "given" | "flags">,
): PageFleet | undefined {
  const loaded = loadedFrom(ran, { given, flags });
  if (!loaded) return undefined;
  const { stateStore: _, ...record } = recordOptions(loaded);
  const runs = new PageRuns(loaded);
  const own: OwnFleet = {
    name: loaded.fleet.name,
    file,
    options: record,
    conduct: (command) => runs.begin(command),
    failure: () => runs.failure,
  };
  return { own, end: () => runs.end() };
}

class PageRuns {
  readonly #loaded: LoadedFleet;
  readonly #stop = new AbortController();
  #current: Promise<unknown> = Promise.resolve();
  failure: Error | undefined;

  constructor(loaded: LoadedFleet) {
    this.#loaded = loaded;
  }

  /** Resolves once the run has begun. @throws the error of the run if it ends earlier */
  begin(command: "resume" | "retry"): Promise<void> {
    // Until now each app waited at its opening.
    setHost({ opening: async () => {} });
    const begun = withResolvers<void>();
    let hasBegun = false;
    this.failure = undefined;
    const onProgress = (): void => {
      hasBegun = true;
      begun.resolve();
    };
    const onWarning = (code: string, message: string): void => say(`warning: ${message} [${code}]`);
    const running = this.#loaded.fleet[command]({
      ...runOptions(this.#loaded),
      signal: this.#stop.signal,
      onProgress,
      onWarning,
    });
    const ended = running.then(
      () => begun.resolve(),
      (error: unknown) => {
        if (!hasBegun) return begun.reject(error);
        this.failure = error instanceof Error ? error : new Error(String(error));
        say(describeError(error, false));
      },
    );
    this.#current = Promise.all([this.#current, ended]);
    return begun.promise;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#current;
  }
}
