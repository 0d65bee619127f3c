/**
 * Half of the scenarios of the kill tests on files, and a quarter of them on S3, in long runs all, at some of their
 * points. The kill tests themselves check how the engine takes a kill at each point.
 */
import { beforeAll } from "vitest";
import { places as files } from "../../faults/places/fs.js";
import { places as s3 } from "../../faults/places/s3.js";
import { scenarios } from "../../faults/scenarios.js";
import { sampled } from "../../helpers/checks/sampling.js";
import { makeTestBucket } from "../../helpers/stores/s3-store.js";
import { describeWithS3 } from "../../servers/given-s3.js";
import { simulatedBucket, simulatedFiles } from "./simulated-places.js";
import { realityTests } from "./suite.js";

const onFiles = sampled(scenarios, Math.ceil(scenarios.length / 2), "scenarios in reality on files");
realityTests({ places: files, simulated: simulatedFiles }, onFiles, { kills: 2, next: 1, tries: 200 });
/** The others differ in their actions, not in their use of a bucket. */
const onS3 = sampled(scenarios, Math.ceil(scenarios.length / 4), "scenarios in reality on S3");
describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  // A busy server answers in ways that few schedules have.
  realityTests({ places: s3, simulated: simulatedBucket }, onS3, { kills: 2, next: 1, tries: 1_000 });
});
