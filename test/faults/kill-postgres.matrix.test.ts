import { describeWithPostgres } from "../servers/given-postgres.js";
import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/postgres.js";
import { othersOnPostgres, samples } from "./scenarios.js";

describeWithPostgres("PostgreSQL", () => killMatrix(places, [...samples, ...othersOnPostgres], { kills: [2] }));
