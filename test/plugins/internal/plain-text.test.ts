import { describe, expect, it } from "vitest";
import { createEngine } from "../../../core/engine.js";
import { Resource } from "../../../core/resource/define.js";
import { memoryStore } from "../../../core/state/memory.js";
import { memberLines } from "../../../plugins/cli/state/member-lines.js";
import { table } from "../../../plugins/cli/table.js";
import { consoleOutput } from "../../../plugins/console.js";
import { describeError } from "../../../plugins/internal/describe-error.js";
import { plainText } from "../../../plugins/internal/plain-text.js";

/** Clears the screen, colours, names the window, rings, and goes back to the start of the line. */
const EVIL = "all\u001b[2J \u001b[31mis\u001b]0;title\u0007 well\u0007\rnot\u009b1A";

describe("a text of others", () => {
  it("is shown without what would steer the terminal", () => {
    expect(plainText(EVIL)).toBe("all is well\nnot");
    expect(plainText("größe 資源 💥\r\n\ttab\n")).toBe("größe 資源 💥\n\ttab\n");
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
