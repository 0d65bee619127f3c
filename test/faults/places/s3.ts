/** State in a bucket of the S3 server that the tests share. */
import { s3TestStore } from "../../helpers/s3-store.js";
import { remotePlaces } from "./remote.js";

export const places = remotePlaces("s3", s3TestStore);
