/** What a run asks of a store over the network; of thousands of things, and of a bucket, in the matrix. */
import { describeWithRedis } from "../servers/given-redis.js";
import { requests } from "./remote-requests.js";

describeWithRedis("a run far from its state in Redis", () => requests("redis"));
