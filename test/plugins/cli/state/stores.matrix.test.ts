import { describeWithRedis } from "../../../servers/given-redis.js";
import { describeWithS3 } from "../../../servers/given-s3.js";
import { everyCommand } from "./every-command.js";

describeWithRedis("every command, with the state in Redis", () => everyCommand("redis"));
describeWithS3("every command, with the state in a bucket", () => everyCommand("s3"));
