import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { createDocument } from '../../factories/document-values.js';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('CreateDocument with references', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let type: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    type = await saveDocumentType(tenant, {
      fields: [
        buildField('file', { referenceTarget: 'File' }),
        buildField('document', { referenceTarget: 'Document' }),
        buildField('user', { referenceTarget: 'User' }),
      ],
    });
  });

  const create = (fields: object, actor = editor) =>
    actor.post('/documents', { title: 'Rechnung', documentTypeId: type.id, fields });

  const expectInvalid = (test: ReturnType<typeof create>, ...paths: string[]) =>
    expectRefused(tenant, test, 'request.invalid', paths);

  describe('400', () => {
    it('returns 400 for an unknown target, one of another kind, or one of another tenant', async () => {
      const elsewhere = await service.tenant();
      const stranger = await elsewhere.as('editor');
      const [file, tag] = [await saveFile(tenant, editor), await saveTag(tenant)];
      const unknown = randomUUID();
      const all = ['fields.file', 'fields.document', 'fields.user'];
      await expectInvalid(create({ file: unknown, document: unknown, user: unknown }), ...all);
      await expectInvalid(create({ file: tag.id, document: file.id, user: file.id }), ...all);
      await expectInvalid(
        create({
          file: (await saveFile(elsewhere, stranger)).id,
          document: (await saveDocument(elsewhere, stranger)).id,
          user: stranger.userId,
        }),
        ...all,
      );
    });

    it('returns 400 for a file without a grant, or a document that the caller cannot see', async () => {
      const guest = await tenant.as('guest');
      const creator = await tenant.with('documents.create', 'documents.read');
      const [granted, hidden] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
      await saveAccessGrant(tenant, creator, { file: granted.id });
      const inGranted = await saveDocument(tenant, editor, { fileIds: [granted.id] });
      const elsewhere = await saveDocument(tenant, editor, { fileIds: [hidden.id] });
      const confidential = await saveDocument(tenant, editor, {
        fileIds: [granted.id],
        confidentialTo: [editor, guest],
      });
      await expectInvalid(create({ file: hidden.id }, creator), 'fields.file');
      for (const { id } of [elsewhere, confidential])
        await expectInvalid(create({ document: id }, creator), 'fields.document');
      const fields = { file: granted.id, document: inGranted.id };
      expect((await createDocument(creator, type.id, fields)).fields).toEqual(fields);
      expect((await create({ document: confidential.id })).status).toBe(201);
    });

    it('returns 400 for any document when the caller lacks documents.read', async () => {
      const creator = await tenant.with('documents.create', 'files.read');
      const { id } = await saveDocument(tenant, creator);
      await expectInvalid(create({ document: id }, creator), 'fields.document');
    });

    it('returns 400 for a document in the bin, unless the caller sees the bin', async () => {
      const { id } = await saveDocument(tenant, editor, { status: 'Deleted' });
      const creator = await tenant.with('documents.create', 'documents.read', 'files.read');
      await expectInvalid(create({ document: id }, creator), 'fields.document');
      expect((await create({ document: id })).status).toBe(201);
    });

    it('returns 400 for another user when the caller cannot see members', async () => {
      const creator = await tenant.with('documents.create', 'documents.read', 'files.read');
      await expectInvalid(create({ user: editor.userId }, creator), 'fields.user');
      const fields = { user: creator.userId };
      expect((await createDocument(creator, type.id, fields)).fields).toEqual(fields);
    });

    it('returns 400 for a user who is no longer a member', async () => {
      const viewer = await tenant.as('viewer');
      await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
        tenant.id,
        viewer.userId,
      ]);
      await expectInvalid(create({ user: viewer.userId }), 'fields.user');
    });
  });
});
