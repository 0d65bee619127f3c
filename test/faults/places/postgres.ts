/** State in the PostgreSQL server that the tests share. */
import { remotePlaces } from "./remote.js";

export const places = remotePlaces("postgres");
