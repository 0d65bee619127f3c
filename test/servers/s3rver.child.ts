/** Serves S3 from the folder of its first argument at the port of its second one. */
import S3rver from "s3rver";

const [, , directory = ".", port] = process.argv;
const server = new S3rver({ directory, port: Number(port), address: "127.0.0.1", silent: true, resetOnClose: false });
await server.run();
