/** The behaviour of the stores of histories, by their names. */
import { bucketTraits, filesTraits, redisTraits } from "../../plugins/testing/simulation/machine.js";

export const TRAITS = { files: filesTraits, redis: redisTraits, bucket: bucketTraits } as const;
