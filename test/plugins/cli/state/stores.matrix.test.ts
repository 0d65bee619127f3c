import { describe } from "vitest";
import { isLong } from "../../../helpers/checks/sampling.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { describeWithS3 } from "../../../servers/given-s3.js";
import { everyCommand } from "./every-command.js";

// The tests of each command have their state in files; half of them are tried on Redis where a state moves there and back.
if (isLong) {
  describe("every command, with the state in files", () => everyCommand("fs"));
  describeWithRedis("every command, with the state in Redis", () => everyCommand("redis"));
}
describeWithS3("every command, with the state in a bucket", () => everyCommand("s3"));
