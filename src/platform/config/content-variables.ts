import { type ValuesOf, type Variable, flag, integer, oneOf, url } from './variable.js';

/** AWS S3 allows 10,000 parts per object. The service uploads parts of 5 MiB (ADR 23). */
const MAX_S3_CONTENT_BYTES = 10_000 * 5 * 1024 * 1024;

export const CONTENT_VARIABLES = {
  uploadLimit: {
    name: 'UPLOAD_LIMIT_BYTES',
    description: 'Largest content of a document, in bytes.',
    defaultText: '`104857600` (100 MiB)',
    read: integer(1, Number.MAX_SAFE_INTEGER, 104_857_600),
  },
  tenantStorageLimit: {
    name: 'TENANT_STORAGE_LIMIT_BYTES',
    description: 'Bytes of content that a tenant may store, unless it has its own limit.',
    defaultText: '`107374182400` (100 GiB)',
    read: integer(1, Number.MAX_SAFE_INTEGER, 107_374_182_400),
  },
  uploadIdleTimeout: {
    name: 'UPLOAD_IDLE_TIMEOUT_MS',
    description:
      'Longest pause of an upload, or of a client that reads a download. Then the transfer is aborted.',
    read: integer(100, 3_600_000, 60_000),
  },
  contentStore: {
    name: 'CONTENT_STORE',
    description: 'Storage for the contents of documents: `disk` (`DATA_DIR/content`) or `s3` (a bucket).',
    read: oneOf(['disk', 's3'], 'disk'),
  },
  s3Bucket: {
    name: 'S3_BUCKET',
    description: 'Name of the bucket. Required with `CONTENT_STORE=s3`.',
    read: (value: string | undefined) => value,
  },
  s3Region: {
    name: 'S3_REGION',
    description: 'Region of the bucket.',
    defaultText: '`us-east-1` with `S3_ENDPOINT`, else from the AWS SDK (`AWS_REGION`)',
    read: (value: string | undefined) => value,
  },
  s3Endpoint: {
    name: 'S3_ENDPOINT',
    description: 'URL of an S3-compatible server.',
    defaultText: 'AWS',
    read: url(['http:', 'https:']),
  },
  s3ForcePathStyle: {
    name: 'S3_FORCE_PATH_STYLE',
    description:
      '`true` sends the bucket in the path instead of the host name. Most servers other than AWS need it.',
    read: flag(false),
  },
  s3Prefix: {
    name: 'S3_PREFIX',
    description: 'Prefix of all keys, for a bucket with other objects: `filing/`.',
    read: keyPrefix,
  },
  s3AccessKeyId: {
    name: 'S3_ACCESS_KEY_ID',
    description: 'Access key. Requires `S3_SECRET_ACCESS_KEY`.',
    defaultText: 'from the AWS SDK: `AWS_…`, a profile, the role of the machine',
    read: (value: string | undefined) => value,
  },
  s3SecretAccessKey: {
    name: 'S3_SECRET_ACCESS_KEY',
    description: 'Secret of the access key.',
    defaultText: 'as above',
    secret: true,
    read: (value: string | undefined) => value,
  },
  s3ServerSideEncryption: {
    name: 'S3_SERVER_SIDE_ENCRYPTION',
    description: 'Server-side encryption: `AES256` or `aws:kms`.',
    defaultText: 'default of the bucket',
    read: (value: string | undefined) =>
      value === undefined ? undefined : oneOf(['AES256', 'aws:kms'], 'AES256')(value),
  },
  s3KmsKeyId: {
    name: 'S3_KMS_KEY_ID',
    description: 'Key for `aws:kms`.',
    defaultText: 'default key of the account',
    read: (value: string | undefined) => value,
  },
} as const satisfies Record<string, Variable<unknown>>;

/** Messages for invalid combinations of these settings. */
export function contentErrors(values: ValuesOf<typeof CONTENT_VARIABLES>): string[] {
  const errors: string[] = [];
  if (!values.s3AccessKeyId !== !values.s3SecretAccessKey) {
    errors.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither');
  }
  if (values.s3KmsKeyId && values.s3ServerSideEncryption !== 'aws:kms') {
    errors.push('S3_KMS_KEY_ID needs S3_SERVER_SIDE_ENCRYPTION=aws:kms');
  }
  if (values.contentStore === 's3') {
    if (!values.s3Bucket) errors.push('S3_BUCKET must be set with CONTENT_STORE=s3');
    if (values.uploadLimit > MAX_S3_CONTENT_BYTES) {
      errors.push(`UPLOAD_LIMIT_BYTES must be at most ${MAX_S3_CONTENT_BYTES} with CONTENT_STORE=s3`);
    }
  }
  return errors;
}

/** Allows only characters that need no escaping on any server. The result ends in a slash. */
function keyPrefix(value: string | undefined): string {
  if (value === undefined) return '';
  if (
    !/^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(value) ||
    value.length > 500 ||
    /(?:^|\/)\.{1,2}(?:\/|$)/.test(value)
  ) {
    throw new Error('must be names of letters, digits, "_", "-" and ".", with a slash between them');
  }
  return value.endsWith('/') ? value : `${value}/`;
}
