import type { ScopeMethods } from "../contract/index.js";
import {
  addCleanup,
  deferIn,
  deleteData,
  disposeScope,
  getData,
  hasOutput,
  homeOf,
  runScope,
  setData,
  setOutputs,
  tunnelTo,
} from "../scope/index.js";
import { execIn, spawnIn } from "./process-calls.js";

export const scopeMethods: ScopeMethods = Object.freeze<ScopeMethods>({
  has: hasOutput,
  get: (scope, key) => getData(homeOf(scope), key),
  set: (scope, key, value) => setData(homeOf(scope), key, value),
  delete: (scope, key) => deleteData(homeOf(scope), key),
  outputs: setOutputs,
  run: runScope,
  defer: deferIn,
  exec: execIn,
  spawn: spawnIn,
  openTunnel: tunnelTo,
  onCleanup: addCleanup,
  dispose: disposeScope,
});
