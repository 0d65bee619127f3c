/**
 * The minimum work for a created resource: a call of its handler, one encoding of its record, and its part of an
 * append.
 * Prints one line of JSON: microseconds for each of `n` resources, in turns of all of them.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createCodec } from "../../core/codec/index.js";
import { digested } from "../../core/state/checkpoint/digested-text.js";

const [folder = ".", size = "1000", passes = "20"] = process.argv.slice(2);
const n = Number(size);
const codec = createCodec();
const file = openSync(join(folder, "journal"), "a");

interface Props {
  readonly size: number;
  readonly tags: { readonly a: string; readonly b: string };
  readonly rev: string;
}

async function handler(id: string, props: Props): Promise<Props & { readonly name: string }> {
  return { ...props, name: `n-${id}` };
}

/** One after the other: each resource has a line, which is hashed and written. */
async function pass(): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < n; index++) {
    const props: Props = { size: index, tags: { a: "x", b: "y" }, rev: "0" };
    const output = await handler(`r${index}`, props);
    const record = codec.encode({ key: `r${index}`, kind: "bench:Noop", status: "ready", props, output });
    writeSync(file, `${digested(JSON.stringify(record)).text}\n`);
  }
  return ((performance.now() - started) * 1000) / n;
}

const times: number[] = [];
for (let at = 0; at < Number(passes); at++) times.push(await pass());
closeSync(file);
const later = times.slice(Math.floor(times.length / 2)).sort((a, b) => a - b);
process.stdout.write(
  `${JSON.stringify({ freshUs: times[0] ?? 0, warmUs: later[Math.floor(later.length / 2)] ?? 0 })}\n`,
);
