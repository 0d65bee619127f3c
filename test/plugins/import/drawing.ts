/** Random numbers, texts and expressions for configurations of OpenTofu. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL

export type Draw = (below: number) => number;

export function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function pick<T>(draw: Draw, [first, ...more]: readonly [T, ...T[]] | readonly T[]): T {
  const all = [first, ...more] as T[];
  return all[draw(all.length)] as T;
}

/** Returns a text as an expression of HCL. */
export function hcl(text: string): string {
  const escaped = JSON.stringify(text).replaceAll("\\b", "\\u0008").replaceAll("\\f", "\\u000c");
  return escaped.replaceAll(/[$%](?=\{)/g, (sign) => sign + sign);
}

/** Texts that are easily damaged by a language. */
export const TEXTS: readonly string[] = [
  "plain",
  "a \"quoted\" and an 'other'",
  "back`tick and `${",
  "${template} %{ if } $${ $",
  "two\nlines\r\nand a tab\t",
  "é 漢字 🎉 \u{10FFFF}",
  "back\\slash \\n \\u0041",
  "*/ </script> // <!--",
  "\u0007\u001b[31m\u2028\u2029\ufeff",
  "",
  " around ",
  "12",
  "true",
  "null",
  '{"json": [1, "${x}"]}',
];

export const NUMBERS: readonly string[] = [
  "9007199254740993",
  "12345678901234567890123",
  "0.1",
  "0.1234567890123456789",
  "1.5",
  "0",
  "1e21",
  "0.000001",
];
