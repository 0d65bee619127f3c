/** State in a bucket of the S3 server that the tests share. */
import { remotePlaces } from "./remote.js";

export const places = remotePlaces("s3");
