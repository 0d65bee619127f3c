/** Eight processes on one stage in PostgreSQL. */
import { describe, it } from "vitest";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { module, STORES } from "./contention-remote.js";
import { contentionSuite } from "./contention-suite.js";

describeWithPostgres("PostgreSQL", () =>
  contentionSuite({ describe, it }, { module, name: "postgres", open: STORES.postgres }, 3),
);
