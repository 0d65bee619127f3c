/** A relative time, with the exact one as its tooltip. */
import { useEffect, useState } from "preact/hooks";
import { UNITS } from "../../../internal/text/duration.js";

interface WhenProps {
  readonly at: string | number;
  /** True for a time since which a state lasts. */
  readonly isLasting?: boolean;
}

export function When({ at, isLasting = false }: WhenProps) {
  const now = useNow(30_000);
  const ms = typeof at === "number" ? at : Date.parse(at);
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={dateTime(ms)}>
      {isLasting ? lasting(ms, now) : ago(ms, now)}
    </time>
  );
}

/** @param pace milliseconds; undefined: the time does not advance */
export function useNow(pace: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (pace === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), pace);
    return () => clearInterval(timer);
  }, [pace]);
  return now;
}

/** Milliseconds that count as now. */
const MOMENT = 5_000;

/** @param ms since 1970; e.g. "3 min ago" */
function ago(ms: number, now: number): string {
  return now - ms < MOMENT ? "just now" : `${lasting(ms, now)} ago`;
}

/** @param ms since 1970; e.g. "3 min" */
function lasting(ms: number, now: number): string {
  const past = now - ms;
  if (past < MOMENT) return "a moment";
  const [size, name] = UNITS.find(([unit]) => past >= unit * 1_000) ?? [1, "s"];
  return `${Math.floor(past / (size * 1_000))} ${name}`;
}

/** Formats a time in the browser's time zone, e.g. "2026-01-02 03:04:05". */
export function dateTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => `${value}`.padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Formats a number, e.g. 12345: "12,345". */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Formats a number with its noun, e.g. (1, "resource"): "1 resource". */
export function counted(value: number, word: string, several = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : several}`;
}
