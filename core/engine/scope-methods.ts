import type { ScopeMethods } from "../contract/internals.js";
import { execIn } from "../process/exec.js";
import { spawnIn } from "../process/spawn.js";
import { addCleanup } from "../scope/cleanup.js";
import { deleteData, getData, homeOf, setData } from "../scope/data.js";
import { deferIn } from "../scope/deferred.js";
import { disposeScope } from "../scope/dispose.js";
import { hasOutput } from "../scope/has-output.js";
import { setOutputs } from "../scope/outputs.js";
import { runScope } from "../scope/run-scope.js";
import { tunnelTo } from "../scope/tunnel.js";

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
