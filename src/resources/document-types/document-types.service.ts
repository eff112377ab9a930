import { Injectable } from '@nestjs/common';
import { LAST_ID, newId } from '../../common/identifier.js';
import { message } from '../../common/messages/message.js';
import { type Page } from '../../common/page.js';
import { type FieldErrors, invalid, orNotFound } from '../../common/problem.js';
import { caseFold } from '../../common/text.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type CreateDocumentTypeBody,
  type DocumentTypeResponse,
  type UpdateDocumentTypeBody,
  presentDocumentType,
  presentFields,
} from './document-types.dto.js';
import { type DocumentTypeView, DocumentTypesRepository } from './document-types.repository.js';
import { type FieldInput } from './field-rules.js';
import {
  type FieldView,
  type SchemaChange,
  changeSchema,
  changesWords,
  describeChange,
} from './schema-change.js';

/**
 * Maximum size of all fields of a type in a response, in bytes. Includes removed fields, of which there can
 * be many more than live ones.
 */
const MAX_FIELDS_SIZE = 1024 * 1024;
const TOO_LARGE = message('schema.max-size');

@Injectable()
export class DocumentTypesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documentTypes: DocumentTypesRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<DocumentTypeResponse>> {
    return this.pages.page(caller, { operation: 'ListDocumentTypes' }, page, {
      rows: (tx, after, limit) => this.documentTypes.list(tx, after, limit),
      position: (row) => [row.sortKey, row.id],
      present: presentDocumentType,
    });
  }

  get(caller: Caller, id: string): Promise<DocumentTypeResponse> {
    return this.uow.read(caller, async (tx) =>
      presentDocumentType(orNotFound(await this.documentTypes.findView(tx, id))),
    );
  }

  create(caller: Caller, body: CreateDocumentTypeBody): Promise<DocumentTypeResponse> {
    const { key, nameDe, nameEn } = body;
    const fields = (body.fields ?? []).map((field) => ({ ...field, id: newId() }));
    if (fieldsSize(fields) > MAX_FIELDS_SIZE) throw invalid({ fields: [TOO_LARGE] });
    return this.uow.write(caller, async (tx) => {
      const values = { id: newId(), key, nameDe, nameEn, sortKey: caseFold(nameDe), isActive: true };
      const type = await this.documentTypes.insert(tx, values);
      await this.documentTypes.saveFields(tx, type.id, fields);
      tx.record({ action: 'DocumentTypeCreated', subjectId: type.id, summary: nameOf(type) });
      return presentDocumentType({ ...type, fields });
    });
  }

  update(caller: Caller, id: string, body: UpdateDocumentTypeBody): Promise<DocumentTypeResponse> {
    const { nameDe, nameEn } = body;
    return this.uow.write(caller, async (tx) => {
      const type = await this.documentTypes.lockView(tx, id);
      await tx.expectRepresentation(() => presentDocumentType(type));
      const schema = await this.changeFields(tx, type, body.fields ?? null);
      const isRenamed = type.nameDe !== nameDe || type.nameEn !== nameEn;
      if (!isRenamed && !schema?.isChange) return presentDocumentType(type);
      const updated = await this.documentTypes.update(tx, id, { nameDe, nameEn, sortKey: caseFold(nameDe) });
      if (schema?.isChange) await this.documentTypes.saveFields(tx, id, schema.fields);
      const fields = schema?.fields ?? type.fields;
      if (changesWords(type.fields, fields)) await this.documentTypes.setIndexed(tx, id, LAST_ID);
      tx.record({
        action: 'DocumentTypeUpdated',
        subjectId: id,
        summary: [
          isRenamed ? `${nameOf(type)} → ${nameDe} / ${nameEn}` : nameOf(type),
          describeChange(type.fields, fields),
        ]
          .filter((part) => part !== '')
          .join('; '),
      });
      return presentDocumentType({ ...updated, fields });
    });
  }

  setActive(caller: Caller, id: string, isActive: boolean): Promise<DocumentTypeResponse> {
    return this.uow.write(caller, async (tx) => {
      const type = await this.documentTypes.lockView(tx, id);
      if (type.isActive === isActive) return presentDocumentType(type);
      const updated = await this.documentTypes.update(tx, id, { isActive });
      const action = isActive ? 'DocumentTypeReactivated' : 'DocumentTypeDeactivated';
      tx.record({ action, subjectId: id, summary: nameOf(type) });
      return presentDocumentType({ ...updated, fields: type.fields });
    });
  }

  /**
   * Returns the change that the given fields make to the locked type; null if no fields are given. Writing a
   * value takes a shared lock on the type, so a value that is unused here stays unused until the commit.
   */
  private async changeFields(
    tx: WriteTransaction,
    type: DocumentTypeView,
    given: readonly FieldInput[] | null,
  ): Promise<SchemaChange | null> {
    if (!given) return null;
    const errors: FieldErrors = {};
    const schema = changeSchema(type.fields, given, errors);
    const size = fieldsSize(schema.fields);
    // An earlier release allowed larger schemas. They can be changed, but must not grow.
    if (size > MAX_FIELDS_SIZE && size > fieldsSize(type.fields)) errors.fields = [TOO_LARGE];
    for (const { path, optionKey } of await this.documentTypes.inUse(tx, schema.breakingChanges)) {
      (errors[path] ??= []).push(
        optionKey === null
          ? message('schema.target-in-use')
          : message('schema.option-in-use', { option: optionKey }),
      );
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return schema;
  }
}

function fieldsSize(fields: readonly FieldView[]): number {
  return Buffer.byteLength(JSON.stringify(presentFields(fields)));
}

function nameOf({ key, nameDe, nameEn }: Pick<DocumentTypeView, 'key' | 'nameDe' | 'nameEn'>): string {
  return `${key}: ${nameDe} / ${nameEn}`;
}
