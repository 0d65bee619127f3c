/** Test kits for authors of resource types, programs, plugins and stores. */
export type { FailureOptions, FaultInjection, FaultOptions, FaultyHandler, KillOptions } from "./faults.js";
export type {
  SimulatedRecord,
  SimulatedStoreName,
  SimulateOptions,
  SimulationMoment,
  SimulationReport,
  SimulationSubject,
  SimulationTools,
} from "./simulate/options.js";
export { SimulationError } from "./simulate/options.js";
export { simulate } from "./simulate/simulate.js";
export type { OpenedStore, StoreSuiteOptions, TestRunner } from "./store/suite.js";
export { testStateStore } from "./store/suite.js";
export { createTestApp, type TestApp, type TestAppOptions, type TestRunOptions } from "./test-app.js";
