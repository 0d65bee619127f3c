/** Which resources a run may touch. */
export { refuseOrphaning, refuseReferredTo, selectedOf } from "./selected-records.js";
export { Selection } from "./selection.js";
export { codecOf, isOfLeftOut, refuseUnknown } from "./unknown-inputs.js";
