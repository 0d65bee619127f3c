/**
 * Calls the taps of a hook in their order. tapable would compile a function for each hook that a run calls, which takes
 * longer than the taps themselves. It still calls a hook that has interceptors.
 */

type Tap = (...args: unknown[]) => unknown;

/** The members of a hook of tapable that all kinds have. */
interface Tapped {
  readonly taps: readonly { readonly fn: unknown }[];
  readonly interceptors: readonly unknown[];
}

interface Promising<A extends readonly unknown[]> extends Tapped {
  promise(...args: A): Promise<unknown>;
}

interface Synchronous extends Tapped {
  call(context: unknown): unknown;
}

/** Awaits each tap. @throws the error of the first tap that fails; no further one is called */
export async function callInTurn<A extends readonly unknown[]>(hook: Promising<A>, ...args: A): Promise<void> {
  if (hook.interceptors.length > 0) await hook.promise(...args);
  else for (const tap of tapsOf(hook)) await tap(...args);
}

/** Awaits each tap until one resolves with an answer. */
export async function untilAnswered(hook: Promising<[unknown]>, context: unknown): Promise<unknown> {
  if (hook.interceptors.length > 0) return hook.promise(context);
  for (const tap of tapsOf(hook)) {
    const answer = await tap(context);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Calls each tap until one returns an answer. */
export function firstAnswerOf(hook: Synchronous, context: unknown): unknown {
  if (hook.interceptors.length > 0) return hook.call(context);
  for (const tap of tapsOf(hook)) {
    const answer = tap(context);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Calls each tap with the context that the one before it returned. */
export function passOn(hook: Synchronous, context: unknown): unknown {
  if (hook.interceptors.length > 0) return hook.call(context);
  return tapsOf(hook).reduce((given, tap) => tap(given), context);
}

/** Returns a copy: a tap may add another one while the hook is called. */
function tapsOf({ taps }: Tapped): readonly Tap[] {
  return taps.map(({ fn }) => fn as Tap);
}
