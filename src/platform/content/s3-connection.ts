import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { Problem, unavailable } from '../../common/problem.js';
import { type Configuration } from '../config/configuration.js';
import { ContentStoreStartError } from './content-store.js';

export type S3Settings = Partial<Pick<Configuration, keyof Configuration & `s3${string}`>> & {
  /** Size of the parts of an upload, in bytes. S3 requires at least 5 MiB, except for the last part. */
  readonly partSize?: number;
  /** Larger contents are copied in parts of this size, in bytes. S3 copies at most 5 GiB in one request. */
  readonly copyPartSize?: number;
  /** Milliseconds without traffic after which a connection is closed. */
  readonly idleTimeoutMs?: number;
};

/** Names of the errors of S3-compatible servers that are full. AWS S3 has no such error. */
const STORAGE_FULL_ERRORS = new Set([
  'QuotaExceeded', // Ceph
  'StorageFull',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
]);

/** Common members of the SDK's errors. Network errors have `code` instead of `$metadata`. */
interface S3Error {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export function statusOf(error: unknown): number | undefined {
  return (error as S3Error | null)?.$metadata?.httpStatusCode;
}

export function isNamed(error: unknown, ...names: string[]): boolean {
  return names.includes((error as S3Error | null)?.name ?? '');
}

/** Converts an error of the bucket to a Problem (507 or 503). The original error is its cause, for the log. */
export function bucketProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const isFull = statusOf(error) === 507 || isNamed(error, ...STORAGE_FULL_ERRORS);
  return isFull ? new Problem('content.storage-full', { cause: error }) : unavailable(5, { cause: error });
}

/**
 * Creates a client that makes up to three attempts and has timeouts for connecting and for idle connections.
 *
 * The SDK's additional checksums are disabled unless S3 requires them: some compatible servers do not support them.
 * Every request body is signed with its SHA-256, and the service verifies its own hash of the content.
 */
export function createClient({ s3Endpoint: endpoint, idleTimeoutMs, ...settings }: S3Settings): S3Client {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings;
  // Compatible servers usually ignore the region, but a signature needs one.
  const region = settings.s3Region ?? (endpoint ? 'us-east-1' : undefined);
  return new S3Client({
    ...(region && { region }),
    ...(endpoint && { endpoint }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    forcePathStyle: settings.s3ForcePathStyle ?? false,
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With this header, every part would wait for "100 Continue" and use a new connection.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: 5000,
      socketTimeout: idleTimeoutMs ?? 90_000,
      // A download uses a socket for as long as the client reads. Slow clients could soon use up the default of 50.
      httpAgent: { maxSockets: 1000 },
      httpsAgent: { maxSockets: 1000 },
    },
  });
}

/** @throws ContentStoreStartError when the bucket does not exist or is not accessible */
export async function checkBucket(client: S3Client, { s3Bucket, s3Endpoint }: S3Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: s3Bucket }));
  } catch (error) {
    const where = `The bucket ${s3Bucket}${s3Endpoint ? ` at ${s3Endpoint}` : ''}`;
    throw new ContentStoreStartError(`${where} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Reasons by status: the answer to HEAD has no body with an error code. */
const REASONS: Record<number, string> = {
  301: 'it is in another region (S3_REGION)',
  400: 'it is in another region (S3_REGION)',
  403: 'access is denied for these credentials (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY; s3:ListBucket is needed)',
  404: 'it does not exist (S3_BUCKET)',
};

function reasonOf(error: unknown): string {
  const known = REASONS[statusOf(error) ?? 0];
  if (known) return known;
  if (isNamed(error, 'CredentialsProviderError')) {
    return 'no credentials were found (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY)';
  }
  const { code, message } = error as S3Error;
  if (message === 'Region is missing') return 'no region was found (S3_REGION)';
  return `${code ?? message ?? String(error)} (S3_ENDPOINT)`;
}
