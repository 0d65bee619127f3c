/** The objects of one bucket, and the writes to them that are under way. */
import { createHash } from "node:crypto";
import type { AwsErrorCode } from "./aws-errors.js";

export interface AwsObject {
  readonly body: Buffer;
  /** With its quotes. */
  readonly etag: string;
  readonly crc32: string;
}

export interface AwsPage {
  readonly keys: readonly string[];
  /** Absent on the last page. */
  readonly next: string | undefined;
}

export interface PutOptions {
  readonly crc32: string;
  readonly ifNoneMatch: boolean;
  readonly ifMatch: string | undefined;
}

export class AwsBucket {
  readonly #objects = new Map<string, AwsObject>();
  /** Conditional writes that have begun and not ended; true: the object was deleted meanwhile. */
  readonly #underWay = new Map<string, boolean>();

  get(key: string): AwsObject | undefined {
    return this.#objects.get(key);
  }

  /** False: another conditional write of that key is under way, so this one conflicts. */
  begin(key: string): boolean {
    if (this.#underWay.has(key)) return false;
    this.#underWay.set(key, false);
    return true;
  }

  end(key: string): void {
    this.#underWay.delete(key);
  }

  put(key: string, body: Buffer, { crc32, ifNoneMatch, ifMatch }: PutOptions): AwsObject | AwsErrorCode {
    const before = this.#objects.get(key);
    if (ifNoneMatch && before) return "PreconditionFailed";
    if (ifNoneMatch && this.#underWay.get(key)) return "ConditionalRequestConflict";
    if (ifMatch !== undefined && !before) return "NoSuchKey";
    if (ifMatch !== undefined && before?.etag.replaceAll('"', "") !== ifMatch.replaceAll('"', "")) {
      return "PreconditionFailed";
    }
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const object = { body, etag, crc32 };
    this.#objects.set(key, object);
    return object;
  }

  delete(key: string): void {
    this.#objects.delete(key);
    if (this.#underWay.has(key)) this.#underWay.set(key, true);
  }

  /** Keys in the order of their bytes, `after` excluded. */
  list(prefix: string, after: string | undefined, size: number): AwsPage {
    const keys = [...this.#objects.keys()]
      .filter((key) => key.startsWith(prefix) && (after === undefined || inBytes(key, after) > 0))
      .sort(inBytes);
    const page = keys.slice(0, size);
    return { keys: page, next: page.length < keys.length ? page.at(-1) : undefined };
  }
}

function inBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
