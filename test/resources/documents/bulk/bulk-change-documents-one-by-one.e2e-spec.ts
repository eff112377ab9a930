import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { resultsOf } from './bulk-results.js';

const LINK_ACTIONS = ['Tag', 'Untag', 'File', 'Unfile', 'Move'] as const;
const STATUS_ACTIONS = ['Archive', 'Unarchive', 'Delete', 'Restore'] as const;
type Action = (typeof LINK_ACTIONS)[number] | (typeof STATUS_ACTIONS)[number];

interface Fixture {
  readonly tenant: TestTenant;
  readonly actor: Actor;
  readonly tagId: string;
  readonly fileId: string;
  readonly emptyFileId: string;
  /** Ids of the documents by title, in the order in which they are changed. */
  readonly documents: Map<string, string>;
}

describe('BulkChangeDocuments compared with the operation on each document', () => {
  async function createFixture(action: Action, role: 'records_manager' | 'guest'): Promise<Fixture> {
    const where = await service.tenant();
    const [actor, author] = [await where.as(role, 'Actor'), await where.as('editor', 'Author')];
    const { id: tagId } = await saveTag(where, 'Tag');
    const { id: fileId } = await saveFile(where, author, { number: 'Open', name: 'Open' });
    const { id: emptyFileId } = await saveFile(where, author, { number: 'Empty', name: 'Empty' });
    const { id: closedId } = await saveFile(where, author, { number: 'Closed', status: 'Closed' });
    for (const file of [fileId, emptyFileId])
      await saveAccessGrant(where, actor, { file }, { level: 'Write' });
    await saveAccessGrant(where, actor, { file: closedId });
    const documents = new Map<string, string>([['unknown', randomUUID()]]);
    // An Untag or Unfile of a missing link differs: the single operation returns 404, as it addresses the link.
    const linked = action === 'Untag' || action === 'Unfile' ? [true] : [true, false];
    const kinds = [
      { isInClosed: true },
      { isInClosed: false },
      { isInClosed: false, confidentialTo: [author] },
      { isInClosed: false, confidentialTo: [actor] },
    ];
    for (const status of ['Processing', 'Active', 'Archived', 'Deleted'] as const) {
      for (const isLinked of linked) {
        for (const { isInClosed, confidentialTo } of kinds) {
          const title = `${status} ${isLinked} ${isInClosed} ${confidentialTo?.[0]?.name}`;
          const { id } = await saveDocument(where, author, {
            title,
            status,
            statusBeforeDeletion: isInClosed ? 'Archived' : 'Active',
            fileIds: [...(isLinked ? [fileId] : []), ...(isInClosed ? [closedId] : [])],
            tagIds: isLinked ? [tagId] : [],
            confidentialTo,
          });
          documents.set(title, id);
        }
      }
    }
    return { tenant: where, actor, tagId, fileId, emptyFileId, documents };
  }

  const SINGLE_OPERATIONS: Record<Action, (fixture: Fixture, id: string) => Test> = {
    Tag: ({ actor, tagId }, id) => actor.put(`/documents/${id}/tags/${tagId}`),
    Untag: ({ actor, tagId }, id) => actor.delete(`/documents/${id}/tags/${tagId}`),
    File: ({ actor, fileId }, id) => actor.put(`/documents/${id}/files/${fileId}`),
    Unfile: ({ actor, fileId }, id) => actor.delete(`/documents/${id}/files/${fileId}`),
    Move: ({ actor, fileId, emptyFileId }, id) =>
      actor.post(`/documents/${id}/move`, { fromFileId: fileId, toFileId: emptyFileId }),
    Archive: ({ actor }, id) => actor.post(`/documents/${id}/archive`),
    Unarchive: ({ actor }, id) => actor.post(`/documents/${id}/unarchive`),
    Delete: ({ actor }, id) => actor.delete(`/documents/${id}`),
    Restore: ({ actor }, id) => actor.post(`/documents/${id}/restore`),
  };

  /** Changes each document with its own request and returns the problems by title. */
  async function changeOneByOne(action: Action, fixture: Fixture): Promise<[string, object | null][]> {
    const answers: [string, object | null][] = [];
    for (const [name, id] of fixture.documents) {
      const response = await SINGLE_OPERATIONS[action](fixture, id);
      const { status } = response;
      const { type, title, detail } = response.body as Record<string, string>;
      answers.push([name, status < 300 ? null : { type, title, status, detail }]);
    }
    return answers;
  }

  async function changeInBulk(action: Action, { actor, tagId, fileId, emptyFileId, documents }: Fixture) {
    const response = await actor.post('/documents/bulk', {
      action,
      documentIds: [...documents.values()],
      ...(action.endsWith('ag') && { tagIds: [tagId] }),
      ...(action.toLowerCase().endsWith('file') && { fileIds: [fileId] }),
      ...(action === 'Move' && { fromFileId: fileId, toFileId: emptyFileId }),
    });
    expect(response.status).toBe(200);
    const names = [...documents.keys()];
    return resultsOf(response).map(({ problem }, index) => [names[index], problem]);
  }

  /** The stored state, audit entries and notifications, with titles instead of ids. */
  async function storedResults({ tenant: where, documents }: Fixture): Promise<object> {
    const nameOf = new Map([...documents].map(([name, id]) => [id, name]));
    const rows = await service.query<{ title: string }>(
      `SELECT d.title, d.status, d.status_before_deletion, d.deleted_at IS NOT NULL AS binned,
              d.updated_at > now() - interval '10 minutes' AS moved,
              (SELECT count(*)::int FROM document_tags t WHERE t.tenant_id = d.tenant_id AND t.document_id = d.id) AS tags,
              (SELECT count(*)::int FROM document_files f WHERE f.tenant_id = d.tenant_id AND f.document_id = d.id) AS files
         FROM documents d WHERE d.tenant_id = $1 ORDER BY d.title`,
      [where.id],
    );
    const audit = (await where.audit()).map((entry) => ({
      ...entry,
      actor_id: entry.actor_id !== null,
      subject_id: nameOf.get(entry.subject_id),
    }));
    const notifications = (await where.notifications()).map(({ type, parameters }) => ({
      type,
      parameters: { ...parameters, documentId: nameOf.get(parameters.documentId ?? ''), fileId: '' },
    }));
    return { rows, audit, notifications };
  }

  const cases: [Action, 'records_manager' | 'guest'][] = [
    ...[...LINK_ACTIONS, ...STATUS_ACTIONS].map((action): [Action, 'records_manager'] => [
      action,
      'records_manager',
    ]),
    ...LINK_ACTIONS.map((action): [Action, 'guest'] => [action, 'guest']),
  ];

  it.each(cases)('returns 200 with the same results: %s by a %s with a Write grant', async (action, role) => {
    const [one, many] = [await createFixture(action, role), await createFixture(action, role)];
    const [expected, actual] = [await changeOneByOne(action, one), await changeInBulk(action, many)];
    expect(actual).toEqual(expected);
    // The comparison needs documents that succeed and documents that fail.
    expect(new Set(expected.map(([, problem]) => problem === null)).size).toBe(2);
    expect(await storedResults(many)).toEqual(await storedResults(one));
  });
});
