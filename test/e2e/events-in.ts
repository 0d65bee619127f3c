import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { read } from "../house/project.ts";

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(read("plugins/console-output/events.schema.json")),
);

/** Every line as an event that fits the schema. */
export function eventsIn(stdout: string): { type: string; [member: string]: unknown }[] {
  const events = stdout.split("\n").map((line) => JSON.parse(line));
  expect(events.filter((event) => !validate(event))).toEqual([]);
  return events;
}
