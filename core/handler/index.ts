/** One call of a handler: its time, its retries, its failures, what it gives. */
export {
  callHandler,
  type HandlerEnd,
  type HandlerValues,
  handlersFor,
  handlersOf,
  isRetaining,
  isSimulated,
  type Signal,
} from "./call.js";
export {
  adoptHint,
  declarationFailed,
  handlerFailed,
  interruption,
  manyPending,
  notAdoptable,
  pendingReason,
  stopReason,
  tellFailure,
  tellNotBegun,
  tellStopped,
  whyPending,
} from "./failure.js";
export { checkKeepable, checkSecrets } from "./keepable.js";
export { canLook, createAgain, isLookedAt, look, wantsAdoption } from "./look.js";
export { isTriedAgain } from "./retry.js";
export { describeStandstill, failUnapplied, refuseWaiting } from "./standstill.js";
export {
  decodeOutput,
  decodeProps,
  encodeOutput,
  encodeProps,
  goodProps,
  type Holder,
  movedProps,
  withAll,
} from "./values.js";
