import { StringDecoder } from "node:string_decoder";

/** Characters of a line that goes on and on, before it is given as one. */
const LONGEST = 1024 * 1024;

/** Whole lines, without their ends, of bytes that come in pieces: none is lost, and none is cut in two but an endless one. */
export class Lines {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  /** The lines that are whole by now. */
  add(bytes: Buffer): readonly string[] {
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > LONGEST) {
      lines.push(this.#rest);
      this.#rest = "";
    }
    return lines.map(withoutReturn);
  }

  /** The last line, where nothing ended it. */
  end(): readonly string[] {
    const last = this.#rest + this.#decoder.end();
    this.#rest = "";
    return last === "" ? [] : [withoutReturn(last)];
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
