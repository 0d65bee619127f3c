/** Requests of a run to a store over the network; the matrix has thousands of resources, and a bucket. */
import { describeWithRedis } from "../servers/given-redis.js";
import { requests } from "./remote-requests.js";

describeWithRedis("a run far from its state in Redis", () => requests("redis"));
