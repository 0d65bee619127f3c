/** Functions that wait for finalize. */
export class DeferredQueue {
  readonly #waiting: { readonly path: string; run(): Promise<void> }[] = [];
  #isClosed = false;

  /** True once nothing would run what is added. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** True while functions of the scopes below a path wait. */
  waits(isBelow: (path: string) => boolean): boolean {
    return this.#waiting.some(({ path }) => isBelow(path));
  }

  /** The promise resolves with the function's result once finalize has run it. */
  add<T>(path: string, fn: () => Promise<T> | T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async (): Promise<void> => {
        try {
          resolve(await fn());
        } catch (error) {
          reject(error);
          throw error;
        }
      };
      this.#waiting.push({ path, run });
    });
  }

  /**
   * Runs, in their order, the functions of the scopes below `path`, those included that they defer themselves; each
   * runs once. Resolves with the errors.
   */
  async run(isBelow: (path: string) => boolean): Promise<readonly { path: string; error: unknown }[]> {
    const errors: { path: string; error: unknown }[] = [];
    for (;;) {
      const index = this.#waiting.findIndex(({ path }) => isBelow(path));
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (!next) return errors;
      await next.run().catch((error: unknown) => errors.push({ path: next.path, error }));
    }
  }
}
