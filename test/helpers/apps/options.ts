import { resolve } from "node:path";
import { isEngineError } from "../../../core/base/index.js";
import type { EngineOptions, OptionOrigins, ResolvedOptions } from "../../../core/contract/index.js";
import { resolveOptions } from "../../../core/options/index.js";

export const cwd = resolve("/projects/shop");

export function resolved(options: EngineOptions = {}, origins: OptionOrigins = {}): ResolvedOptions {
  return resolveOptions({ appName: "shop", options, origins, warnings: [] }, cwd);
}

export function failureOf(act: () => unknown): { code: string; message: string } {
  try {
    act();
  } catch (error) {
    if (isEngineError(error)) return { code: error.code, message: error.message };
  }
  throw new Error("It did not fail with an EngineError.");
}

/** Options as a program without types may pass them. */
export function untyped(options: Readonly<Record<string, unknown>>): EngineOptions {
  return options;
}
