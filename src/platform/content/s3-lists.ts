import { ListMultipartUploadsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { statusOf } from './s3-connection.js';

/** Ordered by key. */
export async function* listObjects(
  client: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<{ key: string; modifiedAt: Date }> {
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined && LastModified) yield { key: Key, modifiedAt: LastModified };
    }
  }
}

/**
 * Lists the unfinished multipart uploads to keys that begin with `prefix`. Empty on servers that do not implement this
 * request (501) or remove such uploads by themselves.
 */
export async function* listUploads(
  client: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<{ key: string; uploadId: string; modifiedAt: Date }> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker) {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket: bucket,
      Prefix: prefix,
      ...marker,
    });
    const page = await client.send(command).catch((error: unknown) => {
      if (statusOf(error) === 501) return null;
      throw error;
    });
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (Key !== undefined && UploadId !== undefined && Initiated) {
        yield { key: Key, uploadId: UploadId, modifiedAt: Initiated };
      }
    }
    marker =
      page?.IsTruncated && page.NextKeyMarker
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
          }
        : null;
  }
}
