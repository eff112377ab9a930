import { ListMultipartUploadsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { statusOf } from './s3-connection.js';

/** All objects whose keys begin so, in the order of their keys, page by page. */
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
 * All uploads to such keys that were begun and neither completed nor aborted. Some servers clean up by themselves and
 * list none, or do not know the question; then there are none.
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
