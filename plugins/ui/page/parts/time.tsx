/** Times: relative ones with the exact one as their tooltip, and exact ones in the zone that the user chose. */
import { useEffect, useState } from "preact/hooks";
import { UNITS } from "../../../internal/text/duration.js";
import { store, stored } from "../data/stored.js";

const KEY = "scope-engine-utc";
let isUtc = stored(KEY) === "on";
const renders = new Set<(isUtc: boolean) => void>();

/** Returns true if times are shown in UTC, and a function to change that for the whole page. */
export function useUtc(): readonly [isUtc: boolean, set: (isUtc: boolean) => void] {
  const [, render] = useState(isUtc);
  useEffect(() => {
    renders.add(render);
    return () => void renders.delete(render);
  }, []);
  return [isUtc, setUtc];
}

function setUtc(wanted: boolean): void {
  isUtc = wanted;
  store(KEY, wanted ? "on" : "off");
  for (const render of renders) render(wanted);
}

interface WhenProps {
  readonly at: string | number;
  /** True for a time since which a state lasts. */
  readonly isLasting?: boolean;
  /** True to show the exact time, too; `only`: nothing else. */
  readonly isExact?: boolean | "only";
}

export function When({ at, isLasting = false, isExact = false }: WhenProps) {
  const now = useNow(30_000);
  useUtc();
  const ms = typeof at === "number" ? at : Date.parse(at);
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={dateTime(ms)}>
      {isExact !== "only" && (isLasting ? lasting(ms, now) : ago(ms, now))}
      {isExact === true && ", "}
      {isExact && dateTime(ms)}
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

/** The last time that a date can have. */
const LATEST = 8.64e15;

/** Formats a time with its zone, e.g. "2026-01-02 03:04:05 UTC+01:00". */
export function dateTime(ms: number): string {
  const zone = zoneOf(ms);
  const text = new Date(Math.min(LATEST, Math.max(-LATEST, ms + zone * 60_000))).toISOString();
  const [sign, minutes] = [zone < 0 ? "-" : "+", Math.abs(zone)];
  const offset = zone === 0 ? "" : `${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC${offset}`;
}

/** Formats the time of day, e.g. "03:04:05". */
export function timeOfDay(ms: number): string {
  return dateTime(ms).slice(11, 19);
}

/** Returns the minutes by which the shown zone is ahead of UTC at that time. */
function zoneOf(ms: number): number {
  return isUtc ? 0 : -new Date(ms).getTimezoneOffset();
}

function two(value: number): string {
  return `${Math.floor(value)}`.padStart(2, "0");
}

/** Formats a number, e.g. 12345: "12,345". */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Formats a number with its noun, e.g. (1, "resource"): "1 resource". */
export function counted(value: number, word: string, several = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : several}`;
}
