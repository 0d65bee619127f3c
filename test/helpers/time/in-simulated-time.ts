import { Simulation } from "../../../plugins/testing/simulation/simulation.js";

/**
 * Runs the work in a simulated process, whose time advances when nothing is left to do: a busy machine makes nothing
 * later.
 */
export async function inSimulatedTime<T>(work: () => Promise<T>): Promise<T> {
  const simulation = new Simulation("in simulated time");
  const started = simulation.start("a process", { machine: simulation.machine("a machine") }, work);
  await simulation.run();
  const { outcome } = started;
  if (!outcome) throw new Error("It waits for something that is not simulated.");
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
