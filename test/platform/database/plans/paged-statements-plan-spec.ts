import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Statement } from '../../../../src/platform/database/transactions/tenant-batch.js';
import { RouteTable } from '../../../../src/platform/http/pipeline/route-table.js';
import { DOCUMENT_SORTS } from '../../../../src/resources/documents/search/document-sorts.js';
import { FILE_SORTS } from '../../../../src/resources/files/file-sorts.js';
import { saveView } from '../../../factories/saved-views.js';
import { type Actor } from '../../../support/actor.js';
import { sized } from '../../../support/exhaustive.js';
import { LargeTenant } from './large-tenant.js';
import { type PlanFor, QueryPlans, nodesOf, statementsOf } from './query-plans.js';

/** Enough documents for a scan of all of them to look cheap beside a search with many conditions. */
const ROWS = sized(700, 12_000);
const OTHER_TENANTS = sized(5, 12);
/** A scan of fewer blocks costs no more than a look-up by index. */
const SMALL_TABLE = 20;

const conditions = (count: number, rest: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    fieldKey: 'count',
    operator: 'GreaterThan',
    value: String(-1 - n),
    ...rest,
  }));

/** Each operation that returns rows of a page, or changes rows by key, with its requests. */
const requests = (
  { samples }: LargeTenant,
  savedViewId: string,
): Record<string, readonly (string | object)[]> => ({
  ListDocuments: [
    '/documents?limit=200',
    ...DOCUMENT_SORTS.map((sort) => `/documents?sort=${sort}&limit=200`),
    ...['count', 'note', 'state', 'money'].flatMap((key) => [
      `/documents?documentTypeId=${samples.documentTypeId}&sort=fields.${key}&limit=200`,
      `/documents?documentTypeId=${samples.documentTypeId}&sort=-fields.${key}&q=akte`,
    ]),
    `/documents?fileId=${samples.fileId}`,
    `/documents?tagIds=${samples.tagId}`,
    `/documents?savedViewId=${savedViewId}&limit=200`,
    `/documents?savedViewId=${savedViewId}&sort=title`,
    ...['akte', 'wort7', 'akte%20wort7', 'akte%20-wort7'].flatMap((q) => [
      `/documents?limit=200&q=${q}`,
      `/documents?order=relevance&q=${q}`,
      `/documents?savedViewId=${savedViewId}&q=${q}`,
    ]),
  ],
  SearchDocuments: [
    ...[1, 2, 14, 20].map((count) => ({
      filter: { metadataConditions: conditions(count) },
      limit: 200,
    })),
    { filter: { metadataConditions: conditions(20) }, savedViewId, limit: 200 },
    { filter: { metadataConditions: conditions(20) }, q: 'akte', order: 'relevance', limit: 200 },
    { filter: { metadataConditions: conditions(20) }, q: 'akte', sort: 'title', limit: 200 },
    { filter: { metadataConditions: conditions(20, { operator: 'NotEqualTo' }) }, limit: 200 },
    { filter: { metadataConditions: conditions(20, { operator: 'LessThan' }) }, limit: 200 },
    {
      filter: {
        metadataConditions: conditions(20, { fieldKey: 'note', operator: 'Contains', value: 'notiz' }),
      },
      limit: 200,
    },
    { filter: { tagIds: [samples.tagId], fileId: samples.fileId, metadataConditions: conditions(20) } },
  ],
  ListSuggestions: ['', '?q=akte', '?q=wort', '?q=wo', '?q=tag', '?q=akte%20wort7', '?q=0000'].map(
    (query) => `/documents/suggestions${query}`,
  ),
  ListFiles: [
    ...['', '&q=akte', '&q=00', `&fileTypeId=${samples.fileTypeId}`, '&include=counts'],
    ...FILE_SORTS.map((sort) => `&sort=${sort}`),
  ].map((query) => `/files?limit=200${query}`),
  ListFileDocuments: [`/files/${samples.fileId}/documents?limit=200`],
  ListDocumentVersions: [`/documents/${samples.documentId}/versions?limit=200`],
  ListConfidentialDocuments: ['/confidential-documents?limit=200'],
  ListConfidentialUsers: [`/documents/${samples.documentId}/confidential-access?limit=200`],
  ListFileAccess: [`/files/${samples.fileId}/access?limit=200`],
  ListDocumentAccess: [`/documents/${samples.documentId}/access?limit=200`],
  ListHolds: ['/holds?limit=200'],
  ListHoldItems: [`/holds/${samples.holdId}/items?limit=200`],
  ListDisposals: ['/disposals?limit=200'],
  ListDisposalFiles: [`/disposals/${samples.disposalId}/files?limit=200`],
  ListMembers: ['/members?limit=200'],
  ListUserNames: [`/users?ids=${samples.userId}`],
  ListInvitations: ['/invitations?limit=200'],
  ListRoles: ['/roles?limit=200'],
  ListTags: ['/tags?limit=200'],
  ListFileTypes: ['/file-types?limit=200'],
  ListDocumentTypes: ['/document-types?limit=200'],
  ListAccessGrants: ['/access-grants?limit=200'],
  ListSavedViews: ['/saved-views'],
  ListWebhooks: ['/webhooks'],
  ListExports: ['/exports?limit=200'],
  ListWebhookDeliveries: [`/webhooks/${samples.webhookId}/deliveries?limit=200`],
  ListNotifications: ['/notifications?limit=200', '/notifications?unreadOnly=true'],
  ListAuditEntries: ['', '&action=TagCreated', `&subjectId=${samples.documentId}`].map(
    (query) => `/audit-log?limit=200${query}`,
  ),
  ListAuditCheckpoints: ['/audit-log/checkpoints?limit=200'],
  ListEvents: ['/events?limit=200', '/events?types=TagCreated'],
});

/** Own tenants of a user, and permissions in the code. */
const NO_TABLES_OF_TENANTS = ['ListOwnTenants', 'ListPermissions'];

interface SentStatement {
  readonly operation: string;
  readonly what: string;
  readonly statement: Statement;
}

const PLANNED_EACH_TIME: readonly PlanFor[] = ['these values'];
const PLANNED_ONCE: readonly PlanFor[] = ['these values', 'all values'];

const OF_TABLES = `WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
const READ_BY_KEY = ['audit_entries', 'documents', 'files', 'roles', 'users'];
/** The statements that make them, in the order of the tests. */
const STATISTICS: readonly (readonly [string, readonly string[]])[] = [
  // The tenant seems to have all rows of each table.
  ['from before the rows of other tenants', []],
  ['of all rows', ['ANALYZE']],
  ['with many rows in few blocks', [`UPDATE pg_class SET relpages = 1, reltuples = 1000 ${OF_TABLES}`]],
  [
    'that are missing',
    ['DELETE FROM pg_statistic', `UPDATE pg_class SET relpages = 0, reltuples = -1 ${OF_TABLES}`],
  ],
];

describe('The statements for pages of a large tenant beside other tenants', () => {
  // Before the end of the service.
  afterAll(() => large?.stop());
  const plans = new QueryPlans();
  let large: LargeTenant;
  let sent: readonly SentStatement[];
  /** Tables with rows of several tenants that are too large for a scan. */
  let tables: readonly string[];

  beforeAll(async () => {
    large = await LargeTenant.create(plans.service);
    await large.fill(ROWS);
    await large.run('ANALYZE');
    await large.copyTo(OTHER_TENANTS);
    const rows = await plans.service.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
          AND pg_relation_size(c.oid) >= $1 * current_setting('block_size')::int
       UNION SELECT 'users' ORDER BY 1`,
      [SMALL_TABLE],
    );
    tables = rows.map(({ name }) => name);
    sent = await sendAll();
  }, 600_000);

  it('are of large tables', () => {
    expect(tables).toEqual(expect.arrayContaining(READ_BY_KEY));
  });

  it('are those of all operations with pages', () => {
    const { routes } = plans.service.app.get(RouteTable);
    const paged = routes.flatMap(({ endpoint }) =>
      endpoint && /^(List|Search)/.test(endpoint.operation) ? endpoint.operation : [],
    );
    const tested = [...new Set(sent.map(({ operation }) => operation))];
    expect([...tested, ...NO_TABLES_OF_TENANTS].sort()).toEqual([...new Set(paged)].sort());
  });

  it.each(STATISTICS)('scan no table, with statistics %s', async (_, statements) => {
    for (const sql of statements) await large.run(sql);
    const scans = new Set<string>();
    for (const { operation, what, statement } of sent)
      for (const planFor of statement.planEachTime ? PLANNED_EACH_TIME : PLANNED_ONCE) {
        const plan = await plans.explain(large.tenant.id, statement, planFor);
        for (const node of nodesOf(plan)) {
          const table = node['Relation Name'] ?? '';
          if (node['Node Type'] === 'Seq Scan' && tables.includes(table))
            scans.add(`${operation} scans ${table}: ${what}, for ${planFor}`);
        }
      }
    expect([...scans]).toEqual([]);
  });

  /** The statements that the service sends for the first two pages of each list, to both callers. */
  async function sendAll(): Promise<SentStatement[]> {
    const { id: savedViewId } = await saveView(large.tenant, large.admin, {
      filter: { metadataConditions: conditions(20) },
    });
    await saveView(large.tenant, large.guest);
    const found = new Map<string, SentStatement>();
    for (const actor of [large.admin, large.guest])
      for (const [operation, all] of Object.entries(requests(large, savedViewId)))
        for (const request of all) {
          const what = `${JSON.stringify(request).slice(0, 200)} of ${actor.name}`;
          for (const statement of await statementsOf(() => sendTwoPages(actor, request)))
            if (!found.has(statement.text)) found.set(statement.text, { operation, what, statement });
        }
    return [...found.values()];
  }

  async function sendTwoPages(actor: Actor, request: string | object): Promise<void> {
    const cursor = await send(actor, request, null);
    if (cursor !== null) await send(actor, request, cursor);
  }

  /** Returns the cursor of the next page. The guest may not use all operations, and not the view of the other user. */
  async function send(actor: Actor, request: string | object, cursor: string | null): Promise<string | null> {
    const response =
      typeof request === 'string'
        ? await actor.get(cursor === null ? request : `${request}&cursor=${cursor}`)
        : await actor.post('/documents/search', { ...request, cursor });
    if (actor === large.admin && response.status !== 200)
      throw new Error(`${JSON.stringify(request)}: ${response.text}`);
    return (response.body as { nextCursor?: string | null }).nextCursor ?? null;
  }
});
