import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BadOption, parseOptions } from "./options.js";
import { ALL_ROWS, FIGURE_ROWS, QUICK_ROWS, TARGET_ROWS } from "./rows.js";

describe("the options of the benchmark", () => {
  it("are the rows with targets, five times, where nothing is said", () => {
    expect(parseOptions([])).toMatchObject({ runs: 5, rows: TARGET_ROWS, peers: true });
  });

  it("choose rows", () => {
    expect(parseOptions(["--full"]).rows).toEqual(ALL_ROWS);
    expect(parseOptions(["--quick"])).toMatchObject({ runs: 3, rows: QUICK_ROWS });
    expect(parseOptions(["--figure"]).rows).toEqual(FIGURE_ROWS);
    const s3 = parseOptions(["--only", "CREATE 1,000 all at once on s3"]).rows.map(({ name }) => name);
    expect(s3).toEqual([50, 0, 10].map((delay) => `create 1,000 all at once on S3 at ${delay} ms`));
  });

  it("are one where it is named in full", () => {
    const names = (text: string) => parseOptions(["--only", text]).rows.map(({ name }) => name);
    expect(names("destroy 1,000 all at once")).toEqual(["destroy 1,000 all at once"]);
    expect(names("destroy 1,000 all at onc").length).toBeGreaterThan(1);
  });

  it("with a figure have the rows of the figure, each once", () => {
    const names = parseOptions(["--svg", "speed.svg"]).rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...TARGET_ROWS, ...FIGURE_ROWS].map(({ name }) => name)));
  });

  it.each([
    [["--runs", "0"], '--runs takes a whole number from 1, not "0".'],
    [["--runs", "1.5"], '--runs takes a whole number from 1, not "1.5".'],
    [["--runs"], "argument missing"],
    [["--fast"], "Unknown option '--fast'"],
    [["create"], "Unexpected argument 'create'"],
    [["--only", "nonsense"], 'no row has "nonsense" in its name'],
    [["--quick", "--full"], "--quick and --full exclude each other."],
    [["--figure", "--quick"], "--quick and --figure exclude each other."],
    [["--peer", "x", "--no-peers"], "--peer and --no-peers exclude each other."],
    [["--json", "no/such/folder/x.json"], "--json: there is no folder"],
    [["--svg", "no/such/folder/x.svg"], "--svg: there is no folder"],
    [["--from", "no-such-file.json"], "--from: there is no file no-such-file.json."],
    [["--entry", "no-such-file.js"], "--entry: there is no file no-such-file.js."],
  ])("refuse %j", (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(BadOption);
    expect(() => parseOptions(argv)).toThrow(message);
  });

  it("refuse a folder without the peer", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bench-options-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(() => parseOptions(["--peer", folder])).toThrow("Install alchemy@0.94.0 there.");
  });
});
