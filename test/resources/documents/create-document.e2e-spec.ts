import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { bodyWith, textRules } from '../../support/operations/text-rules.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('CreateDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
  });

  const create = (body: object, actor = editor) => actor.post('/documents', body);
  const body = () => ({ title: 'Bauplan' });

  textRules({
    tenant: () => tenant,
    member: 'title',
    max: 200,
    body,
    send: (sent) => create(sent),
    success: 201,
  });
  idempotentCreation({
    actor: () => editor,
    permission: 'documents.create',
    send: (actor, n) => create({ title: `Bauplan ${n}` }, actor),
    failing: (actor) => create({ ...body(), tagIds: [randomUUID()] }, actor),
  });

  describe('201', () => {
    it('returns 201 with an Active document when it has no content, and writes an audit entry only', async () => {
      const response = await create({ title: 'Bauplan', unknown: 1 });

      expect(response.status).toBe(201);
      const document = response.body as { id: string; createdAt: string };
      expect(document).toEqual({
        id: expect.stringMatching(UUID_V7),
        title: 'Bauplan',
        documentTypeId: null,
        status: 'Active',
        fields: {},
        tagIds: [],
        fileIds: [],
        isConfidential: false,
        content: null,
        createdById: editor.userId,
        createdByName: 'Edda Editor',
        createdAt: expect.stringMatching(TIMESTAMP),
        updatedAt: document.createdAt,
        duplicateIds: [],
      });
      expect(await tenant.audit()).toEqual([
        editor.entry('DocumentCreated', 'Document', document.id, 'Bauplan'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
      const read = await editor.get(`/documents/${document.id}`);
      expect([{ ...(read.body as object), duplicateIds: [] }, read.headers.etag]).toEqual([
        document,
        response.headers.etag,
      ]);
    });

    it('returns 201 with files and tags, and an audit entry for each', async () => {
      const file = await saveFile(tenant, editor, { number: 'AZ-1', name: 'Feuerwache' });
      const other = await saveFile(tenant, editor, { number: 'AZ-2', name: 'Rathaus' });
      const tag = await saveTag(tenant, 'dringend');

      const response = await create({
        title: 'Bauplan',
        fileIds: [other.id.toUpperCase(), file.id],
        tagIds: [tag.id],
      });

      expect(response.status).toBe(201);
      const document = response.body as { id: string };
      expect(document).toMatchObject({ fileIds: [file.id, other.id], tagIds: [tag.id] });
      const audit = await tenant.audit();
      expect(audit.map(({ action, summary }) => [action, summary])).toEqual([
        ['DocumentCreated', 'Bauplan'],
        ['DocumentFiled', 'Bauplan → AZ-1: Feuerwache'],
        ['DocumentFiled', 'Bauplan → AZ-2: Rathaus'],
        ['DocumentTagged', 'Bauplan: dringend'],
      ]);
      expect(new Set(audit.map(({ subject_id }) => subject_id))).toEqual(new Set([document.id]));
      expect(await tenant.notifications()).toEqual([]);
      const list = await editor.get(`/files/${file.id}/documents`);
      expect(list.body).toMatchObject({ items: [{ documentId: document.id }] });
    });

    it('returns 201 with a confidential document that only its creator sees', async () => {
      const response = await create({ ...body(), isConfidential: true });

      expect(response.status).toBe(201);
      const { id, isConfidential } = response.body as { id: string; isConfidential: boolean };
      expect(isConfidential).toBe(true);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual([
        'DocumentCreated',
        'ConfidentialityChanged',
      ]);
      expect((await editor.get(`/documents/${id}`)).status).toBe(200);
      const administrator = await tenant.as('administrator');
      expectProblem(await administrator.get(`/documents/${id}`), 'resource.not-found');
    });

    it.each(['documentTypeId', 'fields', 'tagIds', 'fileIds', 'isConfidential'])(
      'returns 201 and treats null for %s as absent',
      async (member) => {
        const response = await create({ ...body(), [member]: null });
        expect(response.status).toBe(201);
        expect(response.body).toMatchObject({
          documentTypeId: null,
          fields: {},
          tagIds: [],
          fileIds: [],
          isConfidential: false,
        });
      },
    );

    it('returns 201 to a caller who can create but not read documents', async () => {
      const member = await tenant.with('documents.create');
      const response = await create(body(), member);
      expect([response.status, (response.body as { title: string }).title]).toEqual([201, 'Bauplan']);
    });

    it('returns 201 with the files that the caller can see through a grant', async () => {
      const creator = await tenant.with('documents.create', 'documents.read');
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, creator, { file: file.id });
      const response = await create({ ...body(), fileIds: [file.id] }, creator);
      expect([response.status, response.body]).toMatchObject([201, { fileIds: [file.id] }]);
    });
  });

  describe('with a Write grant instead of the permission', () => {
    let guest: Actor;
    beforeEach(async () => {
      guest = await tenant.as('guest');
    });

    it('returns 201 for the granted files', async () => {
      const [one, two] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
      await saveAccessGrant(tenant, guest, { file: one.id }, { level: 'Write' });
      await saveAccessGrant(tenant, guest, { fileType: two.fileTypeId }, { level: 'Write', toRole: true });
      const response = await create({ ...body(), fileIds: [one.id, two.id] }, guest);
      expect([response.status, response.body]).toMatchObject([201, { fileIds: [one.id, two.id].sort() }]);
    });

    it('returns 201 with isConfidential, since the grant includes documents.update', async () => {
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      const response = await create({ ...body(), fileIds: [file.id], isConfidential: true }, guest);
      expect(response.status).toBe(201);
      expect((await guest.get(`/documents/${(response.body as { id: string }).id}`)).status).toBe(200);
    });

    it('returns 403 without a file', async () => {
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      await expectRefused(tenant, create(body(), guest), 'permission.missing');
    });

    it('returns 403 when one of the files has only a Read grant', async () => {
      const [write, read] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
      await saveAccessGrant(tenant, guest, { file: write.id }, { level: 'Write' });
      await saveAccessGrant(tenant, guest, { file: read.id });
      await expectRefused(
        tenant,
        create({ ...body(), fileIds: [write.id, read.id] }, guest),
        'permission.missing',
      );
    });

    it('returns 403, not 409, for a Closed file with only a Read grant', async () => {
      const [write, closed] = [
        await saveFile(tenant, editor),
        await saveFile(tenant, editor, { status: 'Closed' }),
      ];
      await saveAccessGrant(tenant, guest, { file: write.id }, { level: 'Write' });
      await saveAccessGrant(tenant, guest, { file: closed.id });
      await expectRefused(tenant, create({ ...body(), fileIds: [closed.id] }, guest), 'permission.missing');
    });

    it('returns 400, not 403, for a file that the caller cannot see', async () => {
      const [write, hidden] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
      await saveAccessGrant(tenant, guest, { file: write.id }, { level: 'Write' });
      await expectRefused(
        tenant,
        create({ ...body(), fileIds: [write.id, hidden.id] }, guest),
        'request.invalid',
        ['fileIds[1]'],
      );
    });

    it.each([
      ['a Read grant', { level: 'Read' }],
      ['a revoked Write grant', { level: 'Write', revoked: true }],
      ['an expired Write grant', { level: 'Write', expiresAt: "now() - interval '1 second'" }],
    ] as const)('returns 403 with %s', async (_, overrides) => {
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
      await expectRefused(tenant, create({ ...body(), fileIds: [file.id] }, guest), 'permission.missing');
    });
  });

  describe('400', () => {
    it.each([
      ['fields', [], 'fields'],
      ['fields', 'text', 'fields'],
      ['isConfidential', 'true', 'isConfidential'],
      ['isConfidential', 1, 'isConfidential'],
      ['documentTypeId', 'x', 'documentTypeId'],
      ['tagIds', 'x', 'tagIds'],
      ['tagIds', ['x'], 'tagIds[0]'],
      ['fileIds', [null], 'fileIds[0]'],
      ['fileIds', {}, 'fileIds'],
      ['fileIds', Array.from({ length: 101 }, () => randomUUID()), 'fileIds'],
      ['tagIds', Array.from({ length: 101 }, () => randomUUID()), 'tagIds'],
    ])('returns 400 when %s is %j', async (member, value, path) => {
      await expectRefused(tenant, create(bodyWith(body(), member, value)), 'request.invalid', [path]);
    });

    it('returns 400 for a repeated id, at the later one', async () => {
      const file = await saveFile(tenant, editor);
      await expectRefused(
        tenant,
        create({ ...body(), fileIds: [file.id, file.id.toUpperCase()] }),
        'request.invalid',
        ['fileIds[1]'],
      );
    });

    it('returns 400 and lists all ids that do not exist in this tenant', async () => {
      const elsewhere = await service.tenant();
      const stranger = await elsewhere.as('editor');
      const file = await saveFile(tenant, editor);
      const tag = await saveTag(tenant);
      await expectRefused(
        tenant,
        create({
          title: 'Bauplan',
          documentTypeId: randomUUID(),
          fields: { amount: '1' },
          fileIds: [file.id, (await saveFile(elsewhere, stranger)).id, randomUUID()],
          tagIds: [(await saveTag(elsewhere)).id, tag.id, randomUUID()],
        }),
        'request.invalid',
        ['documentTypeId', 'fileIds[1]', 'fileIds[2]', 'tagIds[0]', 'tagIds[2]'],
      );
    });

    it('returns 400 for a file without a grant when the caller lacks files.read', async () => {
      const creator = await tenant.with('documents.create');
      const file = await saveFile(tenant, editor);
      await expectRefused(tenant, create({ ...body(), fileIds: [file.id] }, creator), 'request.invalid', [
        'fileIds[0]',
      ]);
    });

    it('returns 400 for errors in the request itself before it looks up ids', async () => {
      await expectRefused(tenant, create({ title: '', fileIds: [randomUUID()] }), 'request.invalid', [
        'title',
      ]);
    });
  });

  describe('403', () => {
    it('returns 403 for isConfidential without documents.update or documents.confidential.manage', async () => {
      const creator = await tenant.with('documents.create', 'documents.read');
      await expectRefused(tenant, create({ ...body(), isConfidential: true }, creator), 'permission.missing');
    });

    it.each(['documents.update', 'documents.confidential.manage'] as const)(
      'returns 201 for isConfidential with %s',
      async (permission) => {
        const creator = await tenant.with('documents.create', permission);
        expect((await create({ ...body(), isConfidential: true }, creator)).status).toBe(201);
      },
    );

    it('returns 403 after 400 for an unknown tag and before 409 for a Closed file', async () => {
      const creator = await tenant.with('documents.create', 'files.read');
      const confidential = { ...body(), isConfidential: true };
      await expectRefused(
        tenant,
        create({ ...confidential, tagIds: [randomUUID()] }, creator),
        'request.invalid',
        ['tagIds[0]'],
      );
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      await expectRefused(
        tenant,
        create({ ...confidential, fileIds: [closed.id] }, creator),
        'permission.missing',
      );
    });
  });

  it('returns 409 when one of the files is Closed', async () => {
    const [open, closed] = [
      await saveFile(tenant, editor),
      await saveFile(tenant, editor, { status: 'Closed' }),
    ];
    await expectRefused(tenant, create({ ...body(), fileIds: [open.id, closed.id] }), 'file.closed');
  });
});
