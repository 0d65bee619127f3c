/** The imports of an ES module that Node reads as it is, by a lexer: a compiler takes many times as long to be loaded alone. */
import { type ImportSpecifier, initSync, parse } from "es-module-lexer/minimal";
import type { Import } from "./compiled.js";

export interface ModuleImports {
  readonly imports: readonly Import[];
  /** False where the module may import what nobody can see before it runs. */
  readonly isComplete: boolean;
}

/** By what a file can be loaded besides an import. */
const OTHER_WAYS = /\b(require|createRequire|eval|Function)\b|\bmeta\s*\.\s*resolve\b/;

/** @returns undefined where that is to be left to a compiler: it is no module, or one that can load files in other ways */
export function moduleImports(text: string): ModuleImports | undefined {
  if (OTHER_WAYS.test(text)) return undefined;
  try {
    initSync();
    const [found] = parse(text);
    const asked = found.filter(({ d }) => d !== IN_META);
    return {
      imports: asked.flatMap((one) => importOf(text, one)),
      isComplete: asked.every(({ n }) => n !== undefined),
    };
  } catch {
    return undefined;
  }
}

/** `d` of what is no import, but `import.meta`; of an `import` statement it is -1. */
const IN_META = -2;

function importOf(text: string, { n: specifier, s, d }: ImportSpecifier): readonly Import[] {
  if (specifier === undefined) return [];
  const isLate = d >= 0;
  // Of a statement, what stands between the quotes is given; of an expression, with them.
  const before = text.slice(0, isLate ? s : s - 1).split(/\r\n|[\n\r\u2028\u2029]/);
  return [{ specifier, isLate, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }];
}
