import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@jest/globals';
import { DocumentProcessing } from '../../../../src/resources/documents/processing/document-processing.js';
import { type Job } from '../../../../src/platform/jobs/job.js';
import { upload } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

export const TEXT = 'Der Bauantrag ist eingegangen.\nThe application has arrived.\n';
export const WORD_COUNT = 8;
export const TITLE = 'Antrag';

export interface ProcessingResult {
  status: string;
  updated: boolean;
  media_type: string;
  page_count: number | null;
  word_count: number | null;
  failure: string | null;
}

/** Uploads a document that stays Processing until a worker runs; returns its id. */
export async function uploadDocument(
  actor: Actor,
  bytes: Buffer | string = TEXT,
  title = TITLE,
): Promise<string> {
  const response = await upload(actor, { title }, { bytes, fileName: 'antrag.txt', mediaType: 'text/plain' });
  expect([response.status, response.body]).toMatchObject([201, { status: 'Processing' }]);
  return (response.body as { id: string }).id;
}

export async function processingResultOf(
  { service, id }: TestTenant,
  documentId: string,
): Promise<ProcessingResult> {
  const [facts] = await service.query<ProcessingResult & Record<string, unknown>>(
    `SELECT d.status, d.updated_at > d.created_at AS updated, v.media_type, v.page_count, v.word_count, v.failure
       FROM documents d JOIN document_versions v ON v.tenant_id = d.tenant_id AND v.document_id = d.id
        AND v.number = d.content_version
      WHERE d.tenant_id = $1 AND d.id = $2`,
    [id, documentId],
  );
  return facts!;
}

export function failureNotification(uploader: Actor, documentId: string, reason: string): object {
  return {
    user_id: uploader.userId,
    type: 'DocumentProcessingFailed',
    parameters: { documentId, documentTitle: TITLE, reason },
  };
}

/** Runs one attempt to process the document, without the job queue. */
export async function attemptProcessing(
  { service, id }: TestTenant,
  documentId: string,
  overrides: Partial<Job<'ProcessDocument'>> = {},
): Promise<void> {
  await service.app.get(DocumentProcessing).process({
    tenantId: id,
    payload: { documentId, version: 1 },
    attempt: 1,
    isLastAttempt: false,
    workerId: 'test',
    signal: new AbortController().signal,
    ...overrides,
  });
}

/** Names of the files that workers have copied to their folders. */
export async function contentCopies(service: TestService): Promise<string[]> {
  const folder = path.join(service.dataDirectory, 'processing');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
