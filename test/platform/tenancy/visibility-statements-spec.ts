import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Test } from 'supertest';
import { TenantBatch } from '../../../src/platform/database/transactions/tenant-batch.js';
import { SearchSharesReader } from '../../../src/resources/documents/search/search-shares.reader.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveContentText } from '../../factories/document-texts.js';
import { savePreview } from '../../factories/document-previews.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Statements with a condition of visibility. */
const READS_FILES_OR_DOCUMENTS = /files|documents|access_grants/;

const REQUESTS: Readonly<Record<string, (actor: Actor, ids: Record<string, string>) => Test>> = {
  ListFiles: (actor) => actor.get('/files'),
  'ListFiles with q': (actor) => actor.get('/files?q=bau'),
  GetFile: (actor, { file }) => actor.get(`/files/${file}`),
  RenameFile: (actor, { file }) => actor.put(`/files/${file}`, { name: 'File' }),
  ListFileDocuments: (actor, { file }) => actor.get(`/files/${file}/documents`),
  ListDocuments: (actor) => actor.get('/documents'),
  'ListDocuments with q': (actor) => actor.get('/documents?q=bau'),
  'ListDocuments with status': (actor) => actor.get('/documents?status=Deleted'),
  GetDocument: (actor, { document }) => actor.get(`/documents/${document}`),
  UpdateDocument: (actor, { document }) => actor.put(`/documents/${document}`, { title: 'Document' }),
  GetDocumentContent: (actor, { document }) => actor.get(`/documents/${document}/content`),
  GetDocumentText: (actor, { document }) => actor.get(`/documents/${document}/text`),
  GetDocumentPreview: (actor, { document }) => actor.get(`/documents/${document}/preview`),
  ListDocumentVersions: (actor, { document }) => actor.get(`/documents/${document}/versions`),
  FileDocument: (actor, { document, file }) => actor.put(`/documents/${document}/files/${file}`),
  ListConfidentialUsers: (actor, { confidential }) =>
    actor.get(`/documents/${confidential}/confidential-access`),
  ListSuggestions: (actor) => actor.get('/documents/suggestions?q=bau'),
  ListNotifications: (actor) => actor.get('/notifications'),
  ListAuditEntries: (actor) => actor.get('/audit-log'),
};

/**
 * The conditions in visibility.ts also hold for rows of members. For a request, the permissions are known, and the
 * conditions must contain no trace of them: PostgreSQL prepares one statement for each text, and its plans rely on
 * conditions that are absent or constant. The fixture has a hash of the statements of each request, by caller; it was
 * recorded before the conditions were generalized. If you change the statement of a request on purpose, copy its new
 * hash from the failed assertion.
 */
describe('The SQL statements of requests that check visibility', () => {
  let tenant: TestTenant;
  let callers: Readonly<Record<string, Actor>>;
  let ids: Record<string, string>;
  let recorded: Record<string, Record<string, string>>;
  beforeAll(async () => {
    tenant = await (await TestService.shared()).tenant();
    const [administrator, guest] = [await tenant.as('administrator'), await tenant.as('guest')];
    callers = {
      administrator,
      viewer: await tenant.as('viewer'),
      guest,
      auditor: await tenant.as('auditor'),
      'member who sees the bin': await tenant.with('documents.read', 'documents.restore', 'documents.update'),
    };
    const file = (await saveFile(tenant, administrator)).id;
    await saveAccessGrant(tenant, guest, { file }, { level: 'Write' });
    const document = (await saveDocument(tenant, administrator, { fileIds: [file] })).id;
    await saveVersion(tenant, administrator, document, { bytes: 'Text', mediaType: 'application/pdf' });
    await saveContentText(tenant, document, 'Text');
    await savePreview(tenant, document, { version: 1 });
    const confidentialTo = Object.values(callers);
    const confidential = (await saveDocument(tenant, administrator, { confidentialTo })).id;
    ids = { file, document, confidential };
    const fixture = new URL('./visibility-statements.json', import.meta.url);
    recorded = JSON.parse(await readFile(fixture, 'utf8')) as typeof recorded;
    // The first request of a caller writes more.
    for (const actor of Object.values(callers)) await actor.get('/me');
  });
  // A search by a tenant with most of the texts has another statement, and in a new database this tenant has all of them.
  beforeEach(() => void jest.spyOn(SearchSharesReader.prototype, 'areMost').mockReturnValue(false));
  afterEach(() => void jest.restoreAllMocks());

  it.each(Object.keys(REQUESTS))('are the recorded ones for %s', async (name) => {
    const hashes: Record<string, string> = {};
    for (const [caller, actor] of Object.entries(callers)) {
      const submit = jest.spyOn(TenantBatch.prototype, 'submit');
      await REQUESTS[name]?.(actor, ids);
      const texts = (submit.mock.contexts as TenantBatch[])
        .flatMap(({ statements }) => statements.map(({ text }) => text))
        .filter((text) => READS_FILES_OR_DOCUMENTS.test(text));
      submit.mockRestore();
      hashes[caller] = createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 12);
    }
    expect({ [name]: hashes }).toEqual({ [name]: recorded[name] });
  });
});
