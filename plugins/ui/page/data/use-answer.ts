/** An answer of the server, for the lifetime of a component. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "../../api/index.js";
import { ask, failureOf } from "./ask.js";

export interface Answered<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** The last answer is shown at once, and requested again. */
const known = new Map<string, unknown>();

const MOST_KNOWN = 40;

/** @param path undefined: no request is sent */
export function useAnswer<T>(path: string | undefined): Answered<T> {
  const [, render] = useState(0);
  const [turn, setTurn] = useState(0);
  const [failed, setFailed] = useState<{ readonly path: string; readonly failure: Failure } | undefined>();
  const isAsking = useRef(false);
  useEffect(() => {
    if (path === undefined) return;
    const leaving = new AbortController();
    isAsking.current = true;
    ask<T>(path, leaving.signal).then(
      (answer) => {
        isAsking.current = false;
        keep(path, answer);
        setFailed(undefined);
        render((count) => count + 1);
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        isAsking.current = false;
        setFailed({ path, failure: failureOf(error) });
      },
    );
    return () => leaving.abort();
  }, [path, turn]);
  const data = path === undefined ? undefined : (known.get(path) as T | undefined);
  const failure = failed?.path === path ? failed?.failure : undefined;
  // An answer that takes longer than the time between two requests must still arrive.
  const reload = useCallback(() => {
    if (!isAsking.current) setTurn((count) => count + 1);
  }, []);
  return { data, failure, isLoading: path !== undefined && data === undefined && failure === undefined, reload };
}

function keep(path: string, answer: unknown): void {
  known.delete(path);
  known.set(path, answer);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

/** @param pace milliseconds */
export function useEvery(pace: number, action: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) action();
    }, pace);
    return () => clearInterval(timer);
  }, [pace, action]);
}
