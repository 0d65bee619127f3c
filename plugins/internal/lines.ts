import { StringDecoder } from "node:string_decoder";

/** Characters of a line that goes on and on, before it is given up. */
const LONGEST = 1024 * 1024;
/** Stands for such a line: only of a whole one it can be told what is to be hidden in it. */
const LEFT_OUT = "[a line of more than 1 MiB is not shown]";

/** Whole lines, without their ends, of bytes that come in pieces: none is lost, and none is cut in two. */
export class Lines {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  /** The rest of the line is left out. */
  #isLeftOut = false;

  /** The lines that are whole by now. */
  add(bytes: Buffer): readonly string[] {
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#isLeftOut && lines.length > 0) {
      lines.shift();
      this.#isLeftOut = false;
    }
    if (this.#isLeftOut) this.#rest = "";
    else if (this.#rest.length > LONGEST) {
      lines.push(LEFT_OUT);
      this.#rest = "";
      this.#isLeftOut = true;
    }
    return lines.map(withoutReturn);
  }

  /** The last line, where nothing ended it. */
  end(): readonly string[] {
    const last = this.#rest + this.#decoder.end();
    this.#rest = "";
    return last === "" || this.#isLeftOut ? [] : [withoutReturn(last)];
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
