import { HeadBucketCommand, S3Client, type ServerSideEncryption } from '@aws-sdk/client-s3';
import { Problem, unavailable } from '../../common/problem.js';
import { ContentStoreStartError } from './content-store.js';

export interface S3Settings {
  readonly bucket: string;
  /** Undefined: what the SDK finds in its environment. */
  readonly region?: string | undefined;
  /** Undefined: AWS. */
  readonly endpoint?: string | undefined;
  readonly forcePathStyle?: boolean;
  /** Before every key; empty, or ending in a slash. */
  readonly prefix?: string;
  /** Undefined: the SDK's chain of providers. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly serverSideEncryption?: ServerSideEncryption | undefined;
  readonly kmsKeyId?: string | undefined;
  /** In bytes; how an upload is cut. S3 takes no less than 5 MiB, for all parts but the last. */
  readonly partSize?: number;
  /** In bytes; larger contents are copied in parts of this. S3 copies at most 5 GiB at once. */
  readonly copyPartSize?: number;
  /** How long a connection may stand still. */
  readonly idleTimeoutMs?: number;
}

/** Names of errors that mean that there is no room left; AWS itself knows none. */
const STORAGE_FULL_ERRORS = new Set([
  'QuotaExceeded', // Ceph
  'StorageFull',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
]);

/** What the SDK's errors have in common; its network errors have `code` instead. */
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

/** What the bucket fails with, as the client is to learn of it; the cause stays for the log. */
export function bucketProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const isFull = statusOf(error) === 507 || isNamed(error, ...STORAGE_FULL_ERRORS);
  return isFull ? new Problem('content.storage-full', { cause: error }) : unavailable(5, { cause: error });
}

/**
 * A client that tries everything three times, waits no longer than five seconds for a connection, and not for ever
 * for anything else.
 *
 * Checksums beyond the SHA-256 that is signed with every body are left out unless S3 requires them: not every
 * compatible server knows them, and the service compares a hash of its own from one end to the other.
 */
export function createClient({
  region,
  endpoint,
  forcePathStyle,
  credentials,
  idleTimeoutMs,
}: S3Settings): S3Client {
  // Servers that are compatible with S3 seldom care for the region, but signing needs one.
  const signingRegion = region ?? (endpoint ? 'us-east-1' : undefined);
  return new S3Client({
    ...(signingRegion && { region: signingRegion }),
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    forcePathStyle: forcePathStyle ?? false,
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With it, every part would wait for a 100 and open a connection of its own.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: 5000,
      socketTimeout: idleTimeoutMs ?? 90_000,
      // A download takes one as long as its client takes; fifty, the default, would soon be in slow hands.
      httpAgent: { maxSockets: 1000 },
      httpsAgent: { maxSockets: 1000 },
    },
  });
}

/**
 * Asks whether the bucket can be used.
 *
 * @throws ContentStoreStartError a sentence for whoever starts the service
 */
export async function checkBucket(client: S3Client, { bucket, endpoint }: S3Settings): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const where = `The bucket ${bucket}${endpoint ? ` at ${endpoint}` : ''}`;
    throw new ContentStoreStartError(`${where} cannot be used: ${reasonOf(error)}.`, { cause: error });
  }
}

/** HEAD has no body that could say more than its status. */
const REASONS: Record<number, string> = {
  301: 'it is in another region (S3_REGION)',
  400: 'it is in another region (S3_REGION)',
  403: 'these credentials are not let in (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY; s3:ListBucket is needed)',
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
