/** Simulated stores in place of real ones. */

import { bucketTraits, filesTraits } from "../../../plugins/testing/simulation/machine.js";
import type { SimulatedProcess } from "../../../plugins/testing/simulation/simulated-process.js";
import type { SimulatedStore } from "../../../plugins/testing/simulation/simulated-store.js";
import type { Halves } from "../../faults/places/places.js";
import type { SimulatedPlace } from "./simulated-side.js";

export const simulatedFiles: SimulatedPlace = { traits: filesTraits, halves: halvesOfFiles };

/** The server is on the same machine, which may be busy. */
export const simulatedBucket: SimulatedPlace = {
  traits: { ...bucketTraits, latency: [0.5, 60] },
  halves: halvesOfBatches,
};

/** A partial temporary file is in no list and under no key: it leaves nothing. */
function halvesOfFiles(store: SimulatedStore, process: SimulatedProcess): Halves {
  return (call): ReturnType<Halves> => {
    const { op, key, value = "" } = call;
    switch (op) {
      case "append":
        return {
          torn: () => void store.append(process, key, value.slice(0, value.length / 2)),
          "all but the line break": () => void store.append(process, key, value.slice(0, -1)),
        };
      case "create":
        return { torn() {}, linked: () => void store.create(process, key, value) };
      case "set":
        return { torn() {} };
      default:
        return halvesOfBatches(store, process)(call);
    }
  };
}

function halvesOfBatches(store: SimulatedStore, process: SimulatedProcess): Halves {
  return ({ op, keys }): ReturnType<Halves> => {
    if (op !== "deleteMany") return {};
    return {
      half: () => {
        for (const key of keys.slice(0, keys.length / 2)) store.delete(process, key);
      },
    };
  };
}
