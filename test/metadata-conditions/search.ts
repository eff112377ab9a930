import { type FieldErrors } from '../../src/common/problem.js';
import { type TenantTransaction } from '../../src/database/tenant-transaction.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { DocumentTypesReader } from '../../src/document-types/document-types.reader.js';
import {
  type MetadataCondition,
  MetadataConditionsReader,
  type SourceOptions,
} from '../../src/metadata-conditions/metadata-conditions.reader.js';
import { serviceContext } from '../../src/tenancy/access.directory.js';
import { Values } from '../../src/tenancy/visibility.js';
import { type TestTenant } from '../support/tenant.js';

/** The three places where a search can begin. */
export const SOURCES: Readonly<Record<'newest' | 'hits' | 'order', SourceOptions>> = {
  newest: { hasOtherFilters: true, few: -1 },
  hits: { hasOtherFilters: false, few: 1_000_000 },
  order: { hasOtherFilters: false, few: -1 },
};

export interface Page {
  readonly source?: SourceOptions;
  readonly limit?: number;
  readonly after?: readonly [string, string] | null;
}

type Conditions = readonly (readonly [string, MetadataCondition['operator'], string | null])[];

/** What a search does with conditions, and nothing else: the statement with its values. */
export async function searchStatement(
  tenant: TestTenant,
  tx: TenantTransaction,
  conditions: Conditions,
  documentTypeId: string | null,
  { source: options = { hasOtherFilters: false }, limit = 50, after = null }: Page = {},
): Promise<{ text: string; values: unknown[] } | { errors: FieldErrors }> {
  const reader = new MetadataConditionsReader(tenant.service.app.get(DocumentTypesReader, { strict: false }));
  const errors: FieldErrors = {};
  const asked = conditions.map(([fieldKey, operator, value]) => ({ fieldKey, operator, value }));
  const resolved = await reader.resolve(tx, asked, documentTypeId, 'conditions', errors);
  if (Object.keys(errors).length > 0) return { errors };
  const source = await reader.source(tx, resolved, options);
  const values = new Values(tx.tenantId);
  const { bind } = values;
  const [createdAt, id] = source.sortKey;
  const from = source.from(bind, after);
  const where = [
    'd.tenant_id = $1',
    ...source.remaining.map((condition) => reader.sql(condition, bind)),
    ...(documentTypeId ? [`d.document_type_id = ${bind(documentTypeId)}`] : []),
    ...(after ? [`(${createdAt}, ${id}) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`] : []),
  ];
  const text = `SELECT d.id, d.title, ${createdAt} AS "createdAt" FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${createdAt} DESC, ${id} DESC LIMIT ${bind(limit)}`;
  return { text, values: values.list };
}

/** Titles of the documents found, newest first; or the faults of the conditions. */
export function search(
  tenant: TestTenant,
  conditions: Conditions,
  documentTypeId: string | null,
  page: Page = {},
): Promise<string[] | FieldErrors> {
  const { app } = tenant.service;
  return app.get(UnitOfWork, { strict: false }).read(serviceContext(tenant.id), async (tx) => {
    const statement = await searchStatement(tenant, tx, conditions, documentTypeId, page);
    if ('errors' in statement) return statement.errors;
    const { text, values } = statement;
    const rows = await tx.query<{ title: string }>(text, values, { planEachTime: true });
    return rows.map(({ title }) => title);
  });
}
