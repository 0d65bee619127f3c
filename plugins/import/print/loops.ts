/** Writes loops whose results other declarations need. */
import { type Around, WIDTH } from "./code.js";

/** Returns the call in the loop. */
export type CallPrinter = (around: Around) => string;

interface Counted {
  readonly name: string;
  readonly count: number;
  readonly indent: number;
  readonly body: CallPrinter;
}

/** Most instances whose numbers are listed. */
const LISTED = 8;

/** Returns a list with one element for each number from 0. */
export function countedLines({ name, count, indent, body }: Counted): readonly string[] {
  const pad = " ".repeat(indent);
  const numbers = Array.from({ length: Math.min(count, LISTED) }, (_one, at) => at).join(", ");
  const list = count <= LISTED ? `[${numbers}].map((index) =>` : `Array.from({ length: ${count} }, (_, index) =>`;
  const short = body({ indent: 0, before: `${list} `, after: ")" });
  const isShort = !short.includes("\n");
  const line = `${pad}const ${name} = await Promise.all(${short});`;
  if (isShort && line.length <= WIDTH) return [line];
  const head = `${pad}const ${name} = await Promise.all(`;
  if (isShort && short.length + indent + 3 <= WIDTH) return [head, `${pad}  ${short},`, `${pad});`];
  const inner = body({ indent: indent + 4, before: `${pad}    `, after: "," });
  return [head, `${pad}  ${list}`, inner, `${pad}  ),`, `${pad});`];
}

interface Keyed extends Omit<Counted, "count"> {
  readonly loopName: string;
  /** Code of the list of keys. */
  readonly list: string;
}

/** Returns an object with one member for each key. */
export function keyedLines({ name, loopName, list, indent, body }: Keyed): readonly string[] {
  const pad = " ".repeat(indent);
  return [
    `${pad}const ${name} = Object.fromEntries(`,
    `${pad}  await Promise.all(`,
    `${pad}    ${list}.map(async (${loopName}) => {`,
    body({ indent: indent + 6, before: `${pad}      const one = await `, after: ";" }),
    `${pad}      return [${loopName}, one] as const;`,
    `${pad}    }),`,
    `${pad}  ),`,
    `${pad});`,
  ];
}
