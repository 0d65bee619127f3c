/** The end of what a process has written: as much as is worth keeping. */
export class OutputTail {
  readonly #size: number;
  #chunks: Buffer[] = [];
  #held = 0;
  #isCut = false;

  /** @param size bytes to keep */
  constructor(size: number) {
    this.#size = size;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    // Seldom, for joining costs what it joins.
    if (this.#held > 2 * this.#size) this.#cut();
  }

  /**
   * As UTF-8; the line that the cut went through is left out, for half a secret would not be known for one. Nothing where
   * that line is all there is.
   */
  get text(): string {
    if (this.#held > this.#size) this.#cut();
    const bytes = Buffer.concat(this.#chunks);
    let start = 0;
    if (this.#isCut) while (start < 3 && isContinuation(bytes[start])) start++;
    const text = bytes.toString("utf8", start);
    if (!this.#isCut) return text;
    const end = text.indexOf("\n");
    return end < 0 ? "" : text.slice(end + 1);
  }

  /** True where more was written than is kept. */
  get isCut(): boolean {
    return this.#isCut || this.#held > this.#size;
  }

  /** The last lines that are not blank. */
  lines(count: number): readonly string[] {
    const lines = this.text.split(/\r?\n/).filter((line) => line.trim() !== "");
    return lines.slice(-count);
  }

  #cut(): void {
    const kept = Buffer.concat(this.#chunks).subarray(-this.#size);
    // A copy: the part would keep the whole in memory.
    this.#chunks = [Buffer.from(kept)];
    this.#held = kept.length;
    this.#isCut = true;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
