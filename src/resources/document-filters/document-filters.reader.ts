import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { message } from '../../common/messages/message.js';
import { type FieldErrors } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { DocumentTypesReader } from '../document-types/document-types.reader.js';
import { FilesReader } from '../files/files.reader.js';
import { TagsReader } from '../tags/tags.reader.js';
import { type DocumentFilter } from './document-filter.dto.js';
import { type ResolvedCondition } from './metadata-condition.js';
import { resolveCondition } from './metadata-condition-resolver.js';

export {
  type DocumentFilter,
  DocumentFilterField,
  NO_FILTER,
  SavedViewFilterResponse,
  presentFilter,
} from './document-filter.dto.js';
export { MAX_TAGS } from './filter-input.js';
export { type ResolvedCondition } from './metadata-condition.js';
export { CONDITIONS_TABLE } from './operand.js';

const CONDITIONS = 'metadataConditions';

@Injectable()
export class DocumentFiltersReader {
  constructor(
    private readonly types: DocumentTypesReader,
    private readonly files: FilesReader,
    private readonly tags: TagsReader,
  ) {}

  /**
   * Resolves the conditions of a filter for a search. Returns null if the filter matches nothing because its
   * document type does not exist. Adds other errors to `errors`, by path in the filter.
   */
  async resolveConditions(
    tx: TenantTransaction,
    filter: DocumentFilter,
    errors: FieldErrors,
  ): Promise<ResolvedCondition[] | null> {
    const { documentTypeId } = filter;
    const found: FieldErrors = {};
    const conditions = await this.resolve(tx, filter, found);
    const isValid = Object.keys(found).length === 0;
    if (!isValid && documentTypeId !== null && !(await this.types.exists(tx, documentTypeId))) return null;
    Object.assign(errors, found);
    return conditions;
  }

  /**
   * Returns the errors that prevent saving the filter, by path in the filter. Parts that the former filter
   * already has are accepted: what they refer to may since have been deleted or become invisible.
   */
  async validateForSaving(
    tx: TenantTransaction,
    caller: Caller,
    filter: DocumentFilter,
    former: DocumentFilter,
  ): Promise<FieldErrors> {
    const errors: FieldErrors = {};
    const { documentTypeId, fileId, tagIds, metadataConditions } = filter;
    const isSameType = documentTypeId === former.documentTypeId;
    const isType = isSameType || documentTypeId === null || (await this.types.exists(tx, documentTypeId));
    if (!isType) errors.documentTypeId = [message('reference.document-type')];
    if (fileId !== null && fileId !== former.fileId) {
      const visible = await this.files.findVisibleIds(tx, caller, [fileId]);
      if (!visible.has(fileId)) errors.fileId = [message('reference.file')];
    }
    const tags = await this.tags.findExistingIds(tx, tagIds);
    tagIds.forEach((id, index) => {
      if (!tags.has(id) && !former.tagIds.includes(id))
        errors[`tagIds[${index}]`] = [message('reference.tag')];
    });
    // The fields of an unknown type cannot be checked.
    if (!isType) return errors;
    const found: FieldErrors = {};
    await this.resolve(tx, filter, found);
    metadataConditions.forEach((condition, index) => {
      const isFormer = former.metadataConditions.some((other) => isDeepStrictEqual(other, condition));
      if (isSameType && isFormer) return;
      for (const [path, messages] of Object.entries(found))
        if (path.startsWith(`${CONDITIONS}[${index}].`)) errors[path] = messages;
    });
    return errors;
  }

  /**
   * Resolves the conditions against the fields of the document type, or of all document types. Does not return
   * conditions with an error.
   */
  private async resolve(
    tx: TenantTransaction,
    { documentTypeId, metadataConditions }: DocumentFilter,
    errors: FieldErrors,
  ): Promise<ResolvedCondition[]> {
    if (metadataConditions.length === 0) return [];
    const keys = [...new Set(metadataConditions.map(({ fieldKey }) => fieldKey))];
    const fields = await this.types.findFields(tx, keys, documentTypeId);
    return metadataConditions.flatMap((condition, index) => {
      const fieldsWithKey = fields.filter(({ key }) => key === condition.fieldKey);
      const resolved = resolveCondition(condition, fieldsWithKey, documentTypeId !== null);
      if (!('error' in resolved)) return [resolved];
      errors[`${CONDITIONS}[${index}].${resolved.member}`] = [resolved.error];
      return [];
    });
  }
}
