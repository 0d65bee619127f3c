/** Types for a compiled file of a program. */

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
  /** Imports that the file does not use, not even for a type. TypeScript drops them. */
  readonly unused: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** True if it is loaded only when the program reaches it. */
  readonly isLate: boolean;
  /** From 1; 0 for an import that the compiler added. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Position in a file; lines and columns from 1. */
export interface SourcePosition {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A fault in a source. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";

  constructor(
    message: string,
    readonly position: SourcePosition,
  ) {
    super(message);
  }
}

/** Loads synchronously, without import(): a running program may need the result at once. */
export function loadBuilt<T>(name: "babel" | "find-module"): T {
  return createRequire(import.meta.url)(fileURLToPath(ownFile(`dist/plugins/cli/typescript/${name}.cjs`)));
}
