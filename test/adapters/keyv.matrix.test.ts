/** The conformance suite on further ways to set Keyv up, and with more keys than a page holds. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Keyv } from "keyv";
import { KeyvFile } from "keyv-file";
import { afterEach, beforeEach, describe } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { isLong } from "../helpers/checks/sampling.js";
import { conforms } from "./keyv-conforms.js";
import { leastAdapter } from "./keyv-least.js";

const compression = {
  compress: (value: string) => gzipSync(value).toString("base64"),
  decompress: (value: string) => gunzipSync(Buffer.from(value, "base64")).toString(),
};

/** Each store lists the keys that the first one lists in full. */
const few = isLong ? {} : { many: 300 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keyv-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("keyvStoreAt a Map", () => conforms(() => new Map()));
// Every run tries it with few keys.
if (isLong) describe("keyvStoreAt a Keyv", () => conforms(() => new Keyv({ throwOnErrors: true })));
describe("keyvStoreAt the least of an adapter", () => conforms(leastAdapter, few));

describe("keyvStoreAt keyv-file", () =>
  conforms(() => new KeyvFile({ filename: join(folder, "state.json"), writeDelay: 1 }), {
    many: 300,
    largest: 500_000,
  }));
describe("keyvStoreAt files of ours", () => conforms(() => fsStoreAt(folder), few));

describe("keyvStoreAt a Keyv without key prefix that compresses", () =>
  conforms(() => new Keyv({ store: new Map(), useKeyPrefix: false, compression, throwOnErrors: true }), few));

describe("keyvStoreAt a Keyv that keeps objects", () =>
  conforms(() => new Keyv({ serialize: undefined, deserialize: undefined, throwOnErrors: true }), few));
