/** Test kits for those who write stores. */
export type { OpenedStore, StoreSuiteOptions, TestRunner } from "./store-suite.js";
export { testStateStore } from "./store-suite.js";
