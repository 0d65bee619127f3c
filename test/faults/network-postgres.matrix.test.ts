import { describeWithPostgres } from "../servers/given-postgres.js";
import { networkSuite } from "./network-suite.js";
import { places } from "./places/postgres.js";

describeWithPostgres("PostgreSQL", () => {
  networkSuite("postgres", places);
});
