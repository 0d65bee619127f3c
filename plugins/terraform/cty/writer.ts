/** Writes MessagePack, each value in its shortest form. */
export class Writer {
  #bytes = Buffer.allocUnsafe(512);
  #length = 0;

  /** A copy of the bytes written so far. */
  get written(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }

  nil(): void {
    this.#byte(0xc0);
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** Writes a signed integer of at most 64 bits. */
  integer(value: number | bigint): void {
    if (value >= 0 && value < 0x80) return this.#byte(Number(value));
    if (value < 0 && value >= -0x20) return this.#byte(0x100 + Number(value));
    if (value >= 0) return this.#unsigned(value);
    if (value >= -0x80) return this.#head(0xd0, 1, 0x100 + Number(value));
    if (value >= -0x8000) return this.#head(0xd1, 2, 0x1_0000 + Number(value));
    if (value >= -0x8000_0000) return this.#head(0xd2, 4, 0x1_0000_0000 + Number(value));
    this.#byte(0xd3);
    const at = this.#room(8);
    this.#length = this.#bytes.writeBigInt64BE(BigInt(value), at);
  }

  float(value: number): void {
    this.#byte(0xcb);
    const at = this.#room(8);
    this.#length = this.#bytes.writeDoubleBE(value, at);
  }

  string(value: string): void {
    const length = Buffer.byteLength(value);
    if (length < 0x20) this.#byte(0xa0 + length);
    else this.#sized([0xd9, 0xda, 0xdb], length);
    const at = this.#room(length);
    this.#bytes.write(value, at);
    this.#length += length;
  }

  /** Writes bytes that are MessagePack already. */
  encoded(value: Uint8Array): void {
    this.#raw(value);
  }

  binary(value: Uint8Array): void {
    this.#sized([0xc4, 0xc5, 0xc6], value.length);
    this.#raw(value);
  }

  array(length: number): void {
    if (length < 0x10) return this.#byte(0x90 + length);
    this.#sized([undefined, 0xdc, 0xdd], length);
  }

  map(length: number): void {
    if (length < 0x10) return this.#byte(0x80 + length);
    this.#sized([undefined, 0xde, 0xdf], length);
  }

  extension(type: number, value: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(value.length);
    if (fixed >= 0) this.#byte(0xd4 + fixed);
    else this.#sized([0xc7, 0xc8, 0xc9], value.length);
    this.#byte(type);
    this.#raw(value);
  }

  #unsigned(value: number | bigint): void {
    if (value < 0x1_0000_0000) return this.#sized([0xcc, 0xcd, 0xce], Number(value));
    this.#byte(0xcf);
    const at = this.#room(8);
    this.#length = this.#bytes.writeBigUInt64BE(BigInt(value), at);
  }

  /** @param codes of the forms with one, two and four bytes of length */
  #sized([one, two, four]: readonly [number | undefined, number, number], length: number): void {
    if (one !== undefined && length < 0x100) return this.#head(one, 1, length);
    if (length < 0x1_0000) return this.#head(two, 2, length);
    this.#head(four, 4, length);
  }

  #head(code: number, size: 1 | 2 | 4, value: number): void {
    this.#byte(code);
    const at = this.#room(size);
    this.#length = this.#bytes.writeUIntBE(value, at, size);
  }

  #raw(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
    this.#length += value.length;
  }

  #byte(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
    this.#length++;
  }

  /** Returns the offset of the next bytes. Call it before reading `#bytes`, because it may replace that buffer. */
  #room(size: number): number {
    const needed = this.#length + size;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    return this.#length;
  }
}
