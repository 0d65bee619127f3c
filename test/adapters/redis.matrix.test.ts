import { keyvRedisSuite } from "./keyv-redis-suite.js";
import { redisSuite } from "./redis-suite.js";

redisSuite({});
keyvRedisSuite({});
