import { describe, expect, it } from "vitest";
import { type ProgramSystem, startable } from "../../../plugins/internal/process/child-process.js";

const env = {
  Path: "C:\\Windows\\system32;C:\\Program Files\\nodejs",
  PATHEXT: ".COM;.EXE;.BAT;.CMD;.JS",
  COMSPEC: "C:\\Windows\\system32\\cmd.exe",
};
const surroundings = { cwd: "C:\\project", env };
const there = [
  "C:\\Program Files\\nodejs\\node.exe",
  "C:\\Program Files\\nodejs\\npx.cmd",
  "C:\\Windows\\system32\\git.exe",
  "C:\\Program Files\\nodejs\\git.cmd",
  "C:\\project\\node_modules\\.bin\\vite.cmd",
  "C:\\project\\build.bat",
];
const windows: ProgramSystem = {
  platform: "win32",
  isThere: (path) => there.some((one) => one.toLowerCase() === path.toLowerCase()),
};

/** The command line of cmd.exe after its own options. */
function line(...command: readonly [string, ...string[]]): string | undefined {
  const { file, args, windowsVerbatimArguments } = startable(command, surroundings, windows);
  expect({ file, args: args.slice(0, -1), windowsVerbatimArguments }).toEqual({
    file: env.COMSPEC,
    args: ["/e:ON", "/v:OFF", "/d", "/s", "/c"],
    windowsVerbatimArguments: true,
  });
  return args.at(-1);
}

describe("a command of several parts", () => {
  it("that names a batch file is run by cmd.exe on Windows, which Node refuses to do", () => {
    expect(line("npx", "esbuild", "src/main.ts")).toBe(
      '""C:\\Program Files\\nodejs\\npx.cmd" "esbuild" "src/main.ts""',
    );
    expect(line("./node_modules/.bin/vite", "build")).toBe('""C:\\project\\node_modules\\.bin\\vite.cmd" "build""');
    expect(line("build.bat")).toBe('""C:\\project\\build.bat""');
  });

  it("that names a program is left to Node", () => {
    for (const command of [
      ["node", "x.js"],
      ["git", "status"],
      ["node.exe"],
      ["C:\\Program Files\\nodejs\\node.exe", "a"],
      ["nothing"],
    ] as const) {
      const [file, ...args] = command;
      expect(startable(command, surroundings, windows)).toEqual({ file, args });
    }
  });

  it("is left to Node on every other system", () => {
    for (const platform of ["linux", "darwin"] as const) {
      expect(startable(["npx", "a b"], surroundings, { ...windows, platform })).toEqual({ file: "npx", args: ["a b"] });
    }
  });

  it.each([
    ["a b", '"a b"'],
    ["", '""'],
    ["a&calc|b>c<d^e", '"a&calc|b>c<d^e"'],
    ['{"a":1}', '"{""a"":1}"'],
    ['a\\"b', '"a\\\\""b"'],
    ["C:\\folder\\", '"C:\\folder\\\\"'],
    ["%PATH%", '"%%cd:~,%PATH%%cd:~,%"'],
    ["!x!", '"!x!"'],
  ])("reaches a batch file with its argument %j whole, and nothing of it becomes a command", (argument, text) => {
    expect(line("npx", argument)).toBe(`""C:\\Program Files\\nodejs\\npx.cmd" ${text}"`);
  });

  it("with a line break, which cmd.exe would take for the end, is refused", () => {
    for (const argument of ["a\ncalc", "a\r"]) {
      expect(() => startable(["npx", argument], surroundings, windows)).toThrow(
        expect.objectContaining({ code: "COMMAND_FAILED" }),
      );
    }
  });
});
