/** Every prop of every built-in type is checked before anything is recorded. */
import { expect, test } from "vitest";
import { Password, Process } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";
import { declare, rows } from "./props-table.ts";

const newProject = projects();

test.each(rows)("$type.kind refuses props that do not fit, and the corrected program works", async (row) => {
  const { type, good, bad } = row;
  const project = await newProject(type === Password ? { password: "p" } : {});
  await project.write("source", "x");
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const failure = await project.failure(declare(type, { ...good, [name]: value }));
      expect([name, value, failure]).toMatchObject([
        name,
        value,
        { code: "INVALID_PROPS", message: expect.stringContaining(`props.${name}: `) },
      ]);
    }
  }
  expect((await project.up()).summary).toEqual({});
  if (type !== Process) expect((await project.up(declare(type, good))).summary).toEqual({ created: 1 });
});
