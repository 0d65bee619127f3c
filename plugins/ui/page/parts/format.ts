/** Figures and times in words. Pure. */
import { UNITS } from "../../../internal/duration.js";

/** Milliseconds. */
const MOMENT = 5_000;

/** @param ms since 1970; e.g. "3 min ago" */
export function ago(ms: number, now: number): string {
  return now - ms < MOMENT ? "just now" : `${lasting(ms, now)} ago`;
}

/** @param ms since 1970; e.g. "3 min" */
export function lasting(ms: number, now: number): string {
  const past = now - ms;
  if (past < MOMENT) return "a moment";
  const [size, name] = UNITS.find(([unit]) => past >= unit * 1_000) ?? [1, "s"];
  return `${Math.floor(past / (size * 1_000))} ${name}`;
}

/** E.g. "2026-01-02 03:04:05", of the place where the page is. */
export function dateTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => `${value}`.padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** E.g. 12345: "12,345". */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** E.g. (1, "resource"): "1 resource". */
export function counted(value: number, word: string, several = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : several}`;
}
