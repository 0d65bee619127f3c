/** A plain value as indented lines for people. Pure. */
import { plainJson, plainLine } from "../../internal/plain-text.js";

const STEP = "  ";

/** Members that are empty, false or absent say nothing. */
export function memberLines(members: object, indent = STEP): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => (isSilent(value) ? [] : lines(name, value, indent)));
}

function lines(name: string, value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    return [`${indent}${scalar(name)}`, ...value.flatMap((one, at) => element(one, at, indent + STEP))];
  }
  if (typeof value === "object" && value !== null) {
    const inner = Object.entries(value).flatMap(([key, member]) => lines(key, member, indent + STEP));
    return inner.length > 0 ? [`${indent}${scalar(name)}`, ...inner] : [`${indent}${scalar(name)}  {}`];
  }
  return [`${indent}${scalar(name)}  ${scalar(value)}`];
}

function element(value: unknown, at: number, indent: string): readonly string[] {
  return typeof value === "object" && value !== null ? lines(`[${at}]`, value, indent) : [`${indent}${scalar(value)}`];
}

function scalar(value: unknown): string {
  if (value === undefined) return "undefined";
  return typeof value === "string" && value !== "" && plainLine(value) === value ? value : plainJson(value);
}

function isSilent(value: unknown): boolean {
  if (value === undefined || value === false) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
