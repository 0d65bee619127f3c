/** Keeps the end of the output of a process. */
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
    // Rarely, because joining copies all chunks.
    if (this.#held > 2 * this.#size) this.#cut();
  }

  /**
   * The kept output as UTF-8. A line that was cut is left out, because a part of a secret is not redacted. Empty if
   * there is no other line.
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

  /** True if more was written than is kept. */
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
    // A copy, because a subarray would keep the whole buffer in memory.
    this.#chunks = [Buffer.from(kept)];
    this.#held = kept.length;
    this.#isCut = true;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
