import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import { Resource } from "../../../core/resource/index.js";
import { memberLines } from "../../../plugins/cli/state/list.js";
import { table } from "../../../plugins/cli/table.js";
import { consoleOutput } from "../../../plugins/console-output/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { describeError } from "../../../plugins/internal/text/describe-error.js";
import { plainData, plainEvents, plainJson, plainLine, plainText } from "../../../plugins/internal/text/plain-text.js";

/** Clears the screen, sets colors, names the window, rings, and goes back to the start of the line. */
const EVIL = "all\u001b[2J \u001b[31mis\u001b]0;title\u0007 well\u0007\rnot\u009b1A";

describe("a text of others", () => {
  it("is shown without what would steer the terminal", () => {
    expect(plainText(EVIL)).toBe("all is well\nnot");
    expect(plainText("größe 資源 💥\r\n\ttab\n")).toBe("größe 資源 💥\n\ttab\n");
  });

  it("spells out invisible characters, except those that join an emoji", () => {
    expect(plainText("a\u202eb\u200b\u{e0041}c\u2028d")).toBe("a\\u{202e}b\\u{200b}\\u{e0041}c\\u{2028}d");
    expect(plainText("👩‍👩‍👧 ❤️‍🔥")).toBe("👩‍👩‍👧 ❤️‍🔥");
    expect(plainText(plainText("a\u202eb"))).toBe("a\\u{202e}b");
  });

  it("is one line where it is a name", () => {
    expect(plainLine("a\r\n  b\tc\u0085d")).toBe("a b cd");
    const event = {
      type: "x",
      fqn: "a\nb",
      kind: "k\u001b[8m",
      message: "one\ntwo\u0007",
      paths: ["/\u202e"],
      count: 1,
      none: null,
    };
    expect(plainData(event)).toEqual({ ...event, fqn: "a b", kind: "k", message: "one\ntwo", paths: ["/\\u{202e}"] });
  });

  it("means the same as JSON", () => {
    const value = { "k\u009b": ["\u202e\u{e0041}\u007f\n", "ok"] };
    expect(plainText(plainJson(value))).toBe(plainJson(value));
    expect(JSON.parse(plainJson(value))).toEqual(value);
  });

  it("is so in events, for as long as they are heard", () => {
    const { source, emit } = createEventBus();
    const heard: string[] = [];
    const observer = ({ message }: { readonly message: string }): void => void heard.push(message);
    const plain = plainEvents(source);
    plain.on("warning", observer);
    emit("warning", { code: "X", message: "a\u009b8mb" });
    plain.off("warning", observer);
    emit("warning", { code: "X", message: "later" });
    expect(heard).toEqual(["ab"]);
  });

  it("is so in what failed, warns and is logged", async () => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const Box = Resource("plain-text:Box", {
      create: ({ log }: { log(message: string): void }) => {
        log(EVIL);
        return Promise.reject(new Error(EVIL));
      },
    });
    const engine = createEngine({ plugins: [consoleOutput()] });
    const logger = { info: print, error: print };
    const app = await engine("shop", { stage: "dev", stateStore: memoryStore(), logger, argv: [], env: {} });
    await app.run(() => Box("a")).catch(() => {});
    await app.finalize().catch(() => {});
    expect(lines.join("\n")).toContain("all is well\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f]/.test(line))).toEqual([]);
  });

  it("is so in errors, tables and members", async () => {
    expect(describeError(EVIL)).not.toContain("\u001b");
    expect(describeError(new Error(EVIL))).toMatch(/^error {4}Error: all is well\n {9}not\n/);
    expect(await table([EVIL], [{ title: "T", text: (row) => row }])).toEqual(["T", "all is well not"]);
    expect(memberLines({ "a\u001b[2J": 1 })).toEqual(['  "a\\u001b[2J"  1']);
  });
});
