import { isUuid } from '../../../../src/common/text.js';
import { buildField } from '../../../factories/document-types.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Ids, saveSamples } from '../../../factories/samples.js';
import { saveDelivery } from '../../../factories/webhooks.js';
import { type Actor } from '../../../support/actor.js';
import { requiredQuery } from '../../../support/operations/required-query.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type InputCase } from './bad-input-runner.js';
import { type DescribedOperation } from './described-operations.js';

/** Thousands of requests take 15 seconds on an idle machine, and many minutes beside other tests. */
export const TIMEOUT_MS = 600_000;

/**
 * A tenant with two resources of every kind. Its administrator may see and change all of them, so that a request is
 * refused for its input only. The fingerprint of the tenant detects writes.
 */
export class BadInputFixture {
  private count = 0;

  private constructor(
    readonly tenant: TestTenant,
    readonly admin: Actor,
    readonly other: Actor,
    readonly ids: Ids,
    /** The ids of the second resource of each kind. */
    readonly others: Ids,
    /** The file that a document can be moved to: nothing holds it. */
    private readonly unheldFileId: string,
  ) {}

  static async create(service: TestService): Promise<BadInputFixture> {
    const tenant = await service.tenant();
    const [admin, other] = [await tenant.as('administrator'), await tenant.as('administrator')];
    const [ids, others] = [await saveSamples(tenant, admin, other), await saveSamples(tenant, admin, other)];
    for (const fileId of [ids.fileId ?? '', others.fileId ?? ''])
      await saveDocument(tenant, admin, { fileIds: [fileId] });
    await admin.put(`/documents/${ids.documentId}/files/${ids.fileId}`).expect(204);
    for (const webhookId of [ids.webhookId ?? '', others.webhookId ?? ''])
      await saveDelivery(tenant, webhookId);
    for (const name of ['One', 'Two']) await admin.post('/tags', { name }).expect(201);
    const { id: unheldFileId } = await saveFile(tenant, admin);
    return new BadInputFixture(tenant, admin, other, ids, others, unheldFileId);
  }

  get authorization(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.admin.token}` };
  }

  /** The path of an operation with existing ids, or with those in `instead`, and its query. */
  target({ path }: Pick<DescribedOperation, 'path'>, instead: Ids = {}, query = ''): string {
    // Files get numbers of another type, so that the counter of this one can be set to the same number again.
    const spare: Ids = path.endsWith('/numbering') ? { fileTypeId: this.others.fileTypeId ?? '' } : {};
    const completed: Ids = path.endsWith('/certificate')
      ? { disposalId: this.ids.completedDisposalId ?? '' }
      : {};
    const all: Ids = { ...this.ids, ...spare, ...completed, tenant: this.tenant.slug, ...instead };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const id = all[name];
      if (id === undefined)
        throw new Error(`saveSamples (test/factories/samples.ts) makes nothing for {${name}} of ${path}`);
      return id;
    });
    const required = /^(fileId|documentId)\b/.test(query) ? '' : requiredQuery(path, this.ids);
    const parameters = [required, query].filter((part) => part !== '');
    return parameters.length > 0 ? `${filled}?${parameters.join('&')}` : filled;
  }

  headers({ isPublic, body }: DescribedOperation): Record<string, string> {
    return { ...(!isPublic && this.authorization), ...(body && { 'Content-Type': 'application/json' }) };
  }

  /** A valid request of the operation: its target, header fields and body. */
  request(operation: DescribedOperation): Pick<InputCase, 'target' | 'headers' | 'body'> {
    const { body, mediaTypes } = operation;
    const takesContent = mediaTypes.length > 0 && !body;
    return {
      target: this.target(operation),
      headers: { ...this.headers(operation), ...(takesContent && { 'Content-Type': 'text/plain' }) },
      ...(takesContent && { body: 'another content' }),
      ...(body && { body: JSON.stringify(this.bodies(operation)[0]) }),
    };
  }

  /**
   * Valid bodies for the operation: the example of the OpenAPI document with existing ids and unique names. They have a
   * value for every member; members that exclude each other are in separate bodies.
   */
  bodies(operation: DescribedOperation): Record<string, unknown>[] {
    const example = structuredClone(operation.example) as Record<string, unknown>;
    const variants = this.variantsOf(operation.id);
    return variants.map((variant) =>
      this.withUniqueValues({ ...this.withExistingIds(example, ''), ...variant }),
    );
  }

  private variantsOf(operation: string): Record<string, unknown>[] {
    const { documentTypeId, fileId, tagId, documentId, savedViewId, userId, roleId } = this.ids;
    const expiresAt = '2999-12-31T23:59:59Z';
    const filter = {
      documentTypeId,
      fileId,
      tagIds: [tagId],
      metadataConditions: [{ fieldKey: 'note', operator: 'Contains', value: 'x' }],
    };
    const document = { documentTypeId, fields: { note: 'x' } };
    const moved = { fromFileId: fileId, toFileId: this.unheldFileId };
    const notMoved = { fromFileId: null, toFileId: null };
    switch (operation) {
      case 'CreateSavedView':
      case 'UpdateSavedView':
        return [{ filter }];
      case 'SearchDocuments':
        return [
          { filter, savedViewId, status: 'Active', q: 'wort', order: 'newest', cursor: null, limit: 9 },
        ];
      case 'CreateDocument':
        return [{ ...document, tagIds: [tagId], fileIds: [fileId], isConfidential: false }];
      case 'UpdateDocument':
        return [document];
      case 'BulkChangeDocuments':
        return [
          { action: 'Tag', documentIds: [documentId], tagIds: [tagId], fileIds: null, ...notMoved },
          { action: 'File', documentIds: [documentId], tagIds: null, fileIds: [fileId], ...notMoved },
          { action: 'Move', documentIds: [documentId], tagIds: null, fileIds: null, ...moved },
        ];
      case 'CreateContentLink':
        return [
          { of: undefined, version: 1, disposition: null, page: null, width: null },
          // Only the newest version has a preview.
          { of: 'preview', version: undefined, disposition: null, page: 1, width: 200 },
        ];
      case 'MoveDocument':
        return [moved];
      case 'AddHoldItems':
        return [
          { fileIds: [this.others.fileId], documentIds: null },
          { fileIds: null, documentIds: [this.others.documentId] },
        ];
      case 'UpdateDisposal':
      case 'DecideOnDisposalFile':
        return [{ decision: 'Transferred', reference: 'Zugang 17', keepUntil: null }];
      case 'CreateAccessGrant':
        return [
          { subjectType: 'User', subjectId: userId, targetType: 'File', targetId: fileId, expiresAt },
          { subjectType: 'Role', subjectId: roleId, targetType: 'File', targetId: fileId, expiresAt },
        ];
      case 'CreateInvitation':
        return [{ expiresAt }];
      case 'CreateDocumentType':
      case 'UpdateDocumentType':
        return [
          {
            fields: [{ ...buildField('state', { options: ['open'] }), isRemoved: false }, buildField('note')],
          },
        ];
      default:
        return [{}];
    }
  }

  private withExistingIds<T>(value: T, name: string): T {
    if (Array.isArray(value)) return value.map((item: unknown) => this.withExistingIds(item, name)) as T;
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([member, content]) => [
          member,
          this.withExistingIds(content as unknown, member),
        ]),
      ) as T;
    }
    return isUuid(value) ? ((this.ids[name.replace(/s$/, '')] ?? value) as T) : value;
  }

  /** Makes the values unique that must be: names, numbers, keys, email addresses. */
  private withUniqueValues(body: Record<string, unknown>): Record<string, unknown> {
    this.count += 1;
    return Object.fromEntries(
      Object.entries(body).map(([member, value]) => {
        if (typeof value !== 'string') return [member, value];
        if (member === 'email') return [member, `n${this.count}.${value}`];
        const isUnique = ['name', 'number', 'key', 'subject', 'slug'].includes(member);
        return [member, isUnique ? `${value.slice(0, 30)}${this.count}` : value];
      }),
    );
  }
}
