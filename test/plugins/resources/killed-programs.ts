import { CopyFile, File, Folder } from "../../../plugins/resources/index.ts";

/** Programs, by name, whose runs may be killed. */
export const programs: Readonly<Record<string, () => unknown>> = {
  nothing() {},
  file: () => File("x", { path: "new/deep/x.txt", content: "first", mode: 0o640 }),
  changed: () => File("x", { path: "new/deep/x.txt", content: "second", mode: 0o640 }),
  moved: () => File("x", { path: "other/x.txt", content: "first", mode: 0o640 }),
  copy: () => CopyFile("x", { from: "source.txt", to: "new/x.txt" }),
  folder: () => Folder("x", { path: "new/deep" }),
  adopted: () => File("x", { path: "theirs.txt", content: "ours" }, { adopt: true }),
};
