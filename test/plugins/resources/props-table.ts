/** Every prop of every built-in type, with invalid values. */
import { Command, CopyFile, File, Folder, Password, Process, RandomString } from "../../../plugins/resources/index.js";

type Values = readonly unknown[];
export interface Row {
  readonly type: { readonly kind: string };
  readonly good: Readonly<Record<string, unknown>>;
  /** Invalid values of each prop. */
  readonly bad: Readonly<Record<string, Values>>;
}

const noText: Values = [5, {}, [], true, null, ""];
const noFlag: Values = ["yes", 1, null, {}];
const noMode: Values = ["755", -1, 0o10000, 1.5, null, true];
const noPath: Values = [...noText, "a\0b"];
const noCommand: Values = [5, {}, [], null, "", " ", [1], ["a", 2], "a\0b"];
const noEnv: Values = ["A=1", ["A"], 5, null, { A: 1 }, { A: "\0" }, { A: { b: 1 } }];

export const rows: readonly Row[] = [
  {
    type: File,
    good: { path: "a.txt", content: "ok" },
    bad: {
      path: [undefined, ...noPath],
      content: [undefined, 5, {}, ["x"], null],
      mode: noMode,
      outside: noFlag,
    },
  },
  {
    type: CopyFile,
    good: { from: "source", to: "copy" },
    bad: { from: [undefined, ...noPath], to: [undefined, ...noPath], mode: noMode, outside: noFlag },
  },
  { type: Folder, good: { path: "folder" }, bad: { path: [undefined, ...noPath], outside: noFlag } },
  {
    type: Command,
    good: { command: "true" },
    bad: {
      command: [undefined, ...noCommand],
      update: noCommand,
      delete: noCommand,
      cwd: noPath,
      env: noEnv,
      files: ["a", {}, [""], [5], ["{a,b}"], null],
      outside: noFlag,
    },
  },
  {
    type: Process,
    good: { command: "sleep", args: ["1000"] },
    bad: {
      command: [undefined, 5, {}, ["a"], null, "", "a\0b"],
      args: ["a", {}, [5], ["\0"], null],
      cwd: noPath,
      env: noEnv,
      ready: ["line", 5, null, {}, { line: "" }, { line: 5 }, { port: 0 }, { port: "80" }, { port: 80, host: 5 }],
      readyTimeout: [0, -1, 1.5, "1000", null, 2 ** 31],
      outside: noFlag,
    },
  },
  { type: Password, good: {}, bad: { length: [0, 1.5, 5000, "8", null], alphabet: ["a", "aab", 5, ["a", "b"], null] } },
  {
    type: RandomString,
    good: {},
    bad: { length: [0, 1.5, 5000, "8", null], alphabet: ["a", "aab", 5, ["a", "b"], null], secret: noFlag },
  },
];

export const declare = (type: object, props: object) => () => Reflect.apply(Object(type), undefined, ["a", props]);
