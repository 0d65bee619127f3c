/** Defines the commands for fleets. Their implementation is loaded when one is called. */
import type { Command } from "commander";
import { addFlags, programFlags } from "../flags.js";
import { type Given, sentenceOf } from "../run-command.js";
import type { FleetCall } from "./load-fleet.js";
import type { FleetRun } from "./run-fleet.js";

const RUNS: Readonly<Record<FleetRun, string>> = {
  up: "apply the program in all stages, or continue the last such run",
  plan: "show which stages a run would change; change nothing",
  drift: "compare the recorded resources of all stages with the real ones",
  destroy: "delete the resources of all stages, after asking",
  resume: "continue the last run: begin the wave that waits, or the stages that have not ended",
  retry: "continue the last run, and begin its failed stages again",
};

const REQUESTS = {
  pause: "let running stages end, and begin no more",
  cancel: "end the run, and interrupt running stages; resume continues it",
} as const;

/** @param rest arguments for the project's program */
export function addFleet(program: Command, rest: readonly string[]): void {
  const fleet = program
    .command("fleet")
    .summary("run one program in many stages")
    .description(
      `Run one program in many stages: a fleet, which a file exports with "export default fleet(…)" of scope-engine/fleet.`,
    );
  const add = (name: string, summary: string, act: (call: FleetCall) => Promise<number>): void => {
    const command = fleet.command(`${name} [entry]`).summary(summary).description(sentenceOf(summary));
    calling(command, rest, act);
  };
  for (const name of ["up", "plan", "drift", "destroy"] as const) add(name, RUNS[name], running(name));
  add("status", "show the last run so far; take no lock", async (call) =>
    (await import("./ask-fleet.js")).showStatus(call),
  );
  for (const name of ["pause", "cancel"] as const)
    add(name, REQUESTS[name], async (call) => (await import("./ask-fleet.js")).sendToFleet(name, call));
  for (const name of ["resume", "retry"] as const) add(name, RUNS[name], running(name));
  const summary = "prepare PostgreSQL for the queue";
  addFlags(fleet.command("migrate").summary(summary).description(sentenceOf(summary))).action(async (given: Given) => {
    await (await import("./migrate.js")).migrate(given);
  });
}

/** @param rest arguments for the project's program */
export function addWorker(program: Command, rest: readonly string[]): void {
  const summary = "run stages of a fleet that a queue distributes, until it is stopped";
  const command = program.command("worker [entry]").summary(summary).description(sentenceOf(summary));
  calling(command, rest, async (call) => (await import("./work.js")).work(call));
}

function running(name: FleetRun): (call: FleetCall) => Promise<number> {
  return async (call) => (await import("./run-fleet.js")).runFleet(name, call);
}

function calling(command: Command, rest: readonly string[], act: (call: FleetCall) => Promise<number>): void {
  addFlags(command.usage("[entry] [options] [-- arguments of the program]"));
  command.action(async (file: string | undefined, given: Given) => {
    const flags = programFlags(command);
    const { end } = await import("../open-stage.js");
    await end(() => act({ file, given, flags, rest }));
  });
}
