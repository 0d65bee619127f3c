/** Finds the texts and numbers of JSON of any size. */

const BACKSLASH = 0x5c;

/** Turns each text, with its quotes, and each number. */
export function withJsonTokens(text: string, turn: (one: string) => string): string {
  // An expression that matches a whole text would need a stack as large as the text.
  const begin = /"|-?\d[\d.eE+-]*/g;
  let turned = "";
  let from = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const at = found.index;
    const end = found[0] === '"' ? endOfText(text, at) : begin.lastIndex;
    turned += text.slice(from, at) + turn(text.slice(at, end));
    from = end;
    begin.lastIndex = end;
  }
  return turned + text.slice(from);
}

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
