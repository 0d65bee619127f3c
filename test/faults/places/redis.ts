/** State in the Redis server that the tests share. */
import { remotePlaces } from "./remote.js";

export const places = remotePlaces("redis");
