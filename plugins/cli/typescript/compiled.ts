/** A file of a program, as Node can load it. */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ownFile } from "../../../core/base/index.js";
import type { Settings } from "./settings.js";

export interface SourceText {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly settings: Settings;
}

export interface Compiled {
  readonly format: "module" | "commonjs";
  /** JavaScript, with its source map. */
  readonly code: string;
  readonly imports: readonly Import[];
  /** Imports of which the file uses nothing, not even a type. TypeScript drops them. */
  readonly unused: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Whether it is loaded only when, and if, the program comes to it. */
  readonly isLate: boolean;
  /** From 1; 0 for what the compiler has added. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Where something stands in a file; lines and columns from 1. */
export interface SourcePosition {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a source. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";

  constructor(
    message: string,
    readonly position: SourcePosition,
  ) {
    super(message);
  }
}

/** Not by import(): what a program comes to while it runs may be needed at once. */
export function loadBuilt<T>(name: "babel" | "find-module"): T {
  return createRequire(import.meta.url)(fileURLToPath(ownFile(`dist/plugins/cli/typescript/${name}.cjs`)));
}
