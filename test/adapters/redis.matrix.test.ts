import { keyvRedisSuite } from "./keyv-redis-suite.js";
import { redisClusterSuite, redisSuite } from "./redis-suite.js";

redisSuite({});
redisClusterSuite({});
keyvRedisSuite({});
