/** Assembles whole messages from bytes that come in pieces. */
export class Messages {
  readonly #length: (bytes: Buffer) => number;
  readonly #take: (message: Buffer) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  /** The next message is at least so long, so a check of fewer bytes is useless. */
  #wanted = 1;

  constructor(length: (bytes: Buffer) => number, take: (message: Buffer) => void) {
    this.#length = length;
    this.#take = take;
  }

  /** Number of received bytes of an incomplete message. */
  get size(): number {
    return this.#size;
  }

  /** The received bytes of an incomplete message. */
  get rest(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#wanted) return;
    let rest = this.rest;
    this.#wanted = 1;
    while (rest.length > 0) {
      const length = this.#length(rest);
      if (length > rest.length) {
        this.#wanted = length;
        break;
      }
      this.#take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    this.#pieces = [rest];
    this.#size = rest.length;
  }
}
