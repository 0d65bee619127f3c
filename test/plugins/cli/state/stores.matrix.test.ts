import { describe } from "vitest";
import { isLong } from "../../../helpers/checks/sampling.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { describeWithS3 } from "../../../servers/given-s3.js";
import { everyCommand } from "./every-command.js";

// The tests of each command keep their state in files; the tests that move a state there and back try half of them on
// Redis.
if (isLong) {
  describe("every command, with the state in files", () => everyCommand("fs"));
  describeWithRedis("every command, with the state in Redis", () => everyCommand("redis"));
}
describeWithS3("every command, with the state in a bucket", () => everyCommand("s3"));
