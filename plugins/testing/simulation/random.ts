/** Pseudo-random numbers that follow from a seed. */

import { hash } from "node:crypto";
import type { Bytes } from "../../../core/base/index.js";

export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  /** @param seed any text; the same text gives the same numbers */
  constructor(seed: string) {
    this.#seed = seed;
    const words = Buffer.from(hash("sha256", seed, "hex"), "hex");
    this.#a = words.readInt32LE(0);
    this.#b = words.readInt32LE(4);
    this.#c = words.readInt32LE(8);
    for (let round = 0; round < 12; round++) this.#word();
  }

  /** Returns a separate generator for a name: drawing from it does not affect others. */
  fork(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** Returns a number in [0, 1). */
  next(): number {
    return this.#word() / 2 ** 32;
  }

  /** Returns a whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Returns a number in [least, most). */
  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  bytes(size: number): Bytes {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; at++) bytes[at] = this.#word() & 0xff;
    return bytes;
  }

  /** RFC 9562, version 4. */
  uuid(): string {
    const hex = this.bytes(16).toString("hex");
    const variant = "89ab"[this.below(4)];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Small, fast counting of Chris Doty-Humphrey (sfc32), in the public domain. */
  #word(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}
