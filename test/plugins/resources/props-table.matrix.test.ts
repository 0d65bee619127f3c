/** Invalid props that an earlier version recorded can still be updated and destroyed. */
import { expect, onTestFinished, test } from "vitest";
import { definitionOf } from "../../../core/resource/index.js";
import { Command, CopyFile, File, Folder } from "../../../plugins/resources/index.js";
import { projects } from "./project.ts";
import { declare, rows } from "./props-table.ts";

const newProject = projects();
const types: readonly unknown[] = [Command, CopyFile, File, Folder];
const cases = rows.flatMap(({ type, good, bad }) =>
  types.includes(type) ? Object.entries(bad).map(([name, values]) => ({ type, good, name, values })) : [],
);

test.each(cases)("$type.kind with a prop $name that does not fit", async ({ type, good, name, values }) => {
  const definition = Object(definitionOf(type.kind));
  const { schema } = definition;
  onTestFinished(() => void Object.assign(definition, { schema }));
  for (const value of values) {
    const project = await newProject();
    await project.write("source", "x");
    const unchecked = async (): Promise<void> => {
      delete definition.schema;
      await project.run(declare(type, { ...good, [name]: value }));
      Object.assign(definition, { schema });
    };
    await unchecked();
    await project.up(declare(type, good));
    await project.destroy();
    // Such a delete command cannot run, and its props were not corrected.
    if (name === "delete") continue;
    await unchecked();
    expect((await project.destroy()).errors).toEqual([]);
  }
});
