/** Maps positions in loaded scripts to positions in the engine's sources. */
import { findSourceMap } from "node:module";

export function isEngine(url: string): boolean {
  return /\/(?:core|plugins|adapters)\//.test(url) && !/\/(?:test|node_modules)\//.test(url);
}

/** `core/base/errors.ts:12`; lines and columns count from 1. */
export function sourceOf(url: string, line: number, column: number): string {
  const entry = findSourceMap(url)?.findEntry(line - 1, column - 1);
  const found = entry && "originalLine" in entry ? entry.originalLine + 1 : line;
  return `${/(?:core|plugins|adapters)\/.*$/.exec(url)?.[0] ?? url}:${found}`;
}
