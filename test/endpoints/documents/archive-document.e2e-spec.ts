import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { everyOperation } from '../../support/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { unknownIds } from '../../support/unknown-ids.js';

describe('ArchiveDocument', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let document: { id: string; title: string };
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    document = await saveDocument(tenant, editor, { title: 'Bauplan', status: 'Active' });
  });

  const send = (actor = editor, id = document.id) => actor.post(`/documents/${id}/archive`);

  /** Refused with this problem, and nothing was written. */
  async function refused(test: ReturnType<typeof send>, code: Parameters<typeof expectProblem>[1]) {
    const before = await tenant.fingerprint();
    expectProblem(await test, code);
    expect(await tenant.fingerprint()).toEqual(before);
  }

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => editor,
    permission: 'documents.archive',
    send: (actor) => send(actor),
  });

  unknownIds({
    tenant: () => tenant,
    send: (id) => send(editor, id),
    foreign: async () => {
      const elsewhere = await service.tenant();
      return (await saveDocument(elsewhere, await elsewhere.as('editor'), { status: 'Active' })).id;
    },
  });

  it('200: audited, and nobody notified', async () => {
    const file = await saveFile(tenant, editor);
    const { id } = await saveDocument(tenant, editor, {
      title: 'Bauplan',
      status: 'Active',
      fileIds: [file.id],
    });

    const response = await send(editor, id);

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id, title: 'Bauplan', status: 'Archived', fileIds: [file.id] });
    const read = await editor.get(`/documents/${id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    expect(await tenant.audit()).toEqual([
      {
        actor_id: editor.userId,
        actor_name: 'Edda Editor',
        action: 'DocumentArchived',
        subject_type: 'Document',
        subject_id: id,
        summary: 'Bauplan',
      },
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('404: a confidential document, for whoever is not on its list', async () => {
    const { id } = await saveDocument(tenant, editor, { status: 'Active', confidentialTo: [editor] });
    await refused(send(await tenant.as('administrator'), id), 'resource.not-found');
    expect((await send(editor, id)).status).toBe(200);
  });

  it.each([
    ['Archived', 'document.archived'],
    ['Processing', 'document.processing'],
    ['Deleted', 'document.deleted'],
  ] as const)('409: one that is %s', async (status, code) => {
    const { id } = await saveDocument(tenant, editor, { status });
    await refused(send(editor, id), code);
  });

  it('409: one in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await saveDocument(tenant, editor, { status: 'Active', fileIds: [closed.id] });
    await refused(send(editor, id), 'file.closed');
  });

  it('of several at the same time one does it', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => send()));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
