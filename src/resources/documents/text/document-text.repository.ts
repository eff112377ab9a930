import { Injectable } from '@nestjs/common';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { readableDocuments } from '../../../platform/tenancy/access/visibility.js';
import { type DocumentVersionEntity } from '../contents/document-version.entity.js';
import { HAS_TEXT } from '../contents/document-texts.repository.js';
import { type DocumentEntity } from '../document.entity.js';

/** Without content, `contentText` and the version are null. `hasText` is also true while the content is read again. */
type TextState = Pick<DocumentEntity, 'title' | 'contentText' | 'contentVersion'> &
  Pick<DocumentVersionEntity, 'recognisedPages'> & { readonly hasText: boolean };

@Injectable()
export class DocumentTextRepository {
  /** Null if the document does not exist or the caller cannot read it. */
  async findReadable(tx: TenantTransaction, caller: Caller, id: string): Promise<TextState | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const [found] = await tx.query<TextState>(
      `SELECT d.title, d.content_text AS "contentText", d.content_version AS "contentVersion",
              coalesce(v.recognised_pages, '{}') AS "recognisedPages", ${HAS_TEXT} AS "hasText"
         FROM documents d LEFT JOIN document_versions v
           ON v.tenant_id = $1 AND v.document_id = d.id AND v.number = d.content_version
        WHERE d.tenant_id = $1 AND d.id = $2 AND ${readableDocuments(caller, 'd', values.bind)}`,
      values.list,
    );
    return found ?? null;
  }
}
