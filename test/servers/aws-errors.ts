/** Errors as AWS's S3 spells them. */

/** The request in AWS's terms. */
export interface AwsContext {
  /** Its name in policies: "s3:PutObject". */
  readonly action: string;
  readonly bucket: string;
  readonly key: string;
  readonly accessKeyId: string;
}

export interface AwsError {
  readonly status: number;
  readonly message: string;
  /** Further elements of the body. */
  readonly details?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The region that buckets are in when a client is sent elsewhere. */
const elsewhere = "eu-central-1";

const errors = {
  AccessDenied: ({ action, bucket, key }) => ({
    status: 403,
    message: `User: arn:aws:iam::123456789012:user/test is not authorized to perform: ${action} on resource: "arn:aws:s3:::${bucket}${key && `/${key}`}" because no identity-based policy allows the ${action} action`,
  }),
  AuthorizationHeaderMalformed: () => ({
    status: 400,
    message: `The authorization header is malformed; the region 'us-east-1' is wrong; expecting '${elsewhere}'`,
    details: { Region: elsewhere },
  }),
  BadDigest: () => ({ status: 400, message: "The CRC32 you specified did not match the calculated checksum." }),
  BucketAlreadyOwnedByYou: ({ bucket }) => ({
    status: 409,
    message: "Your previous request to create the named bucket succeeded and you already own it.",
    details: { BucketName: bucket },
  }),
  ConditionalRequestConflict: ({ key }) => ({
    status: 409,
    message: "The conditional request cannot succeed due to a conflicting operation against this resource.",
    details: { Condition: "If-None-Match", Key: key },
  }),
  ExpiredToken: () => ({ status: 400, message: "The provided token has expired." }),
  InternalError: () => ({ status: 500, message: "We encountered an internal error. Please try again." }),
  InvalidAccessKeyId: ({ accessKeyId }) => ({
    status: 403,
    message: "The AWS Access Key Id you provided does not exist in our records.",
    details: { AWSAccessKeyId: accessKeyId },
  }),
  InvalidRequest: () => ({
    status: 400,
    message: "Missing required header for this request: Content-MD5 OR x-amz-checksum-*",
  }),
  MalformedXML: () => ({
    status: 400,
    message: "The XML you provided was not well-formed or did not validate against our published schema",
  }),
  NoSuchBucket: ({ bucket }) => ({
    status: 404,
    message: "The specified bucket does not exist",
    details: { BucketName: bucket },
  }),
  NoSuchKey: ({ key }) => ({ status: 404, message: "The specified key does not exist.", details: { Key: key } }),
  NotImplemented: () => ({
    status: 501,
    message: "A header you provided implies functionality that is not implemented",
    details: { Header: "If-None-Match" },
  }),
  PermanentRedirect: ({ bucket }) => ({
    status: 301,
    message:
      "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.",
    details: { Endpoint: `${bucket}.s3.${elsewhere}.amazonaws.com`, Bucket: bucket },
    headers: { "x-amz-bucket-region": elsewhere },
  }),
  PreconditionFailed: () => ({
    status: 412,
    message: "At least one of the pre-conditions you specified did not hold",
    details: { Condition: "If-None-Match" },
  }),
  RequestTimeTooSkewed: () => ({
    status: 403,
    message: "The difference between the request time and the current time is too large.",
    details: { MaxAllowedSkewMilliseconds: "900000" },
  }),
  SignatureDoesNotMatch: ({ accessKeyId }) => ({
    status: 403,
    message:
      "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
    details: { AWSAccessKeyId: accessKeyId },
  }),
  SlowDown: () => ({ status: 503, message: "Please reduce your request rate." }),
} satisfies Record<string, (context: AwsContext) => AwsError>;

export type AwsErrorCode = keyof typeof errors;

export function awsError(code: AwsErrorCode, context: AwsContext): AwsError {
  return errors[code](context);
}
