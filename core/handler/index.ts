/** One call of a handler: its time, its retries, its failures, what it gives. */
export {
  callHandler,
  type HandlerEnd,
  type HandlerValues,
  handlersFor,
  handlersOf,
  isRetaining,
  isSimulated,
} from "./call.js";
export { describeDeadlock, failUnapplied, refuseWaiting } from "./deadlock-report.js";
export {
  adoptHint,
  declarationFailed,
  emitFailure,
  emitNotBegun,
  emitStopped,
  handlerFailed,
  interruption,
  keptTokenHint,
  manyPending,
  notAdoptable,
  pendingReason,
  stopReason,
  unclaimed,
  whyNotDeleted,
  whyPending,
} from "./failure.js";
export { checkKeepable, checkSecrets } from "./keepable.js";
export { withNotedMembers } from "./passed-members.js";
export {
  canLook,
  createAgain,
  type Interrupted,
  inspect,
  isAbsent,
  isLookedAt,
  looksFirst,
  readInterrupted,
  readResource,
  wantsAdoption,
} from "./read-resource.js";
export { isTriedAgain } from "./retry.js";
export { isTimedOut } from "./timeout.js";
export {
  decodeOutput,
  decodeProps,
  encodeOutput,
  encodeProps,
  goodOutput,
  goodProps,
  movedProps,
  type ValueHolder,
  withAll,
} from "./values.js";
