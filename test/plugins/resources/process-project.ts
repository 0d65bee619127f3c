/** Projects for process tests: their processes end with the test. */
import { afterEach } from "vitest";
import { listProcesses, stopProcess } from "../../../plugins/processes/kept/list.js";
import { Process, type ProcessOutput, type ProcessProps } from "../../../plugins/resources/index.js";
import { type Project, projects } from "./project.ts";

/** Makes projects; hooks run the last one first, so processes end before their folder is removed. */
export function processProjects(): () => Promise<Project> {
  const made: Project[] = [];
  const make = projects();
  afterEach(async () => {
    for (const { root } of made.splice(0)) for (const one of await listProcesses(root)) await stopProcess(one);
  });
  return async () => {
    const project = await make();
    made.push(project);
    return project;
  };
}

/** A program with one process, and the outputs that it got. */
export function program(props: ProcessProps) {
  const seen: ProcessOutput[] = [];
  return {
    seen,
    run: async () => void seen.push(await Process("p", props)),
    last: () => seen.at(-1) ?? { pid: 0, log: "" },
  };
}
