import { FilingProblem, createFilingClient, type FilingClient } from '../../../clients/typescript/client.js';
import { type BuiltInRoleKey } from '../../common/vocabulary/built-in-roles.js';
import { type Configuration } from '../../platform/config/configuration.js';
import { type DemoExamples } from '../../platform/documentation/demo-examples.js';
import { demoUser } from '../../platform/identity/embedded/demo-users.js';
import { issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import {
  DEMO_DISPOSALS,
  DEMO_EXPORTS,
  DEMO_HOLDS,
  DEMO_INVITATION,
  DEMO_ROLE,
  DEMO_TENANT,
  DEMO_WEBHOOKS,
} from './demo-content.js';

type Item = Readonly<Record<string, unknown>>;

type List =
  | '/files'
  | '/file-types'
  | '/documents'
  | '/document-types'
  | '/tags'
  | '/saved-views'
  | '/notifications'
  | '/members'
  | '/roles'
  | '/invitations'
  | '/access-grants'
  | '/webhooks'
  | '/holds'
  | '/disposals'
  | '/audit-log'
  | '/exports';

/** Finds a resource: in the answer of `list`, the first item that has the members of `where`; `id` is the id member. */
interface ResourceQuery {
  readonly list: List;
  readonly query?: { readonly q?: string; readonly status?: 'Archived' | 'Deleted'; readonly limit?: number };
  readonly where?: Item;
  readonly id?: string;
}

const file = (number: string): ResourceQuery => ({ list: '/files', query: { q: number } });
const document = (title: string): ResourceQuery => ({
  list: '/documents',
  query: { limit: 200 },
  where: { title },
});
const named = (list: List, name: string | undefined): ResourceQuery => ({ list, where: { name } });
const tag = (name: string) => named('/tags', name);
const hold = (index: 0 | 1) => named('/holds', DEMO_HOLDS[index].name);
const ofExport = (index: 0 | 1) => named('/exports', DEMO_EXPORTS[index].name);
const disposal = (index: number) => named('/disposals', DEMO_DISPOSALS[index]?.name);
const ownRole = named('/roles', DEMO_ROLE.name);
const member = (roleKey: BuiltInRoleKey): ResourceQuery => ({
  list: '/members',
  where: { subject: `demo-${roleKey}` },
  id: 'userId',
});
const webhook = (index: 0 | 1): ResourceQuery => ({
  list: '/webhooks',
  where: { description: DEMO_WEBHOOKS[index].description },
});
const confidential = { documentId: document('Arbeitsvertrag') };

const EXAMPLE_RESOURCES: Readonly<Record<string, ResourceQuery>> = {
  file: file('BAU-2026-0001'),
  target: file('BAU-2026-0002'),
  fromFile: file('BAU-2026-0002'),
  toFile: file('BAU-2026-0001'),
  fileType: { list: '/file-types' },
  documentType: { list: '/document-types' },
  document: document('Bauantrag Feuerwache Nord'),
  tag: tag('Dringend'),
  savedView: { list: '/saved-views' },
  notification: { list: '/notifications' },
  role: { list: '/roles', where: { key: 'guest' } },
  user: member('viewer'),
  subject: member('guest'),
  invitation: { list: '/invitations', where: { email: DEMO_INVITATION.email } },
  grant: { list: '/access-grants' },
  webhook: webhook(0),
  hold: hold(0),
  disposal: disposal(1),
  auditEntry: { list: '/audit-log' },
  export: ofExport(0),
};

/**
 * Exceptions for path parameters of some operations: a resource in the state that the operation requires, or one that no
 * other example uses. So all examples succeed one after the other. Also query parameters that an operation requires.
 */
const OPERATION_RESOURCES: Readonly<Record<string, Readonly<Record<string, ResourceQuery>>>> = {
  CloseFile: { fileId: file('RAT-2026-11') },
  ReopenFile: { fileId: file('BAU-2025-0117') },
  DeleteFile: { fileId: file('RAT-2026-12') },
  ReplaceDocumentContent: { documentId: document('Leistungsverzeichnis') },
  DeleteDocument: { documentId: document('Ansichtszeichnung') },
  RestoreDocument: { documentId: { list: '/documents', query: { status: 'Deleted' } } },
  ArchiveDocument: { documentId: document('Bekanntmachung') },
  UnarchiveDocument: { documentId: { list: '/documents', query: { status: 'Archived' } } },
  FileDocument: { fileId: file('BAU-2026-0002') },
  GetMemberAccess: { fileId: file('BAU-2026-0001') },
  UntagDocument: { tagId: tag('Original liegt vor') },
  ChangeConfidentiality: { documentId: document('Beurteilung zur Probezeit') },
  ListConfidentialUsers: confidential,
  AddConfidentialUser: { ...confidential, userId: member('editor') },
  RemoveConfidentialUser: { ...confidential, userId: member('records_manager') },
  RemoveMember: { userId: member('auditor') },
  UpdateRole: { roleId: ownRole },
  ReleaseHold: { holdId: hold(1) },
  DecideOnDisposalFile: { fileId: file('PER-0005') },
  RemoveDisposalFile: { fileId: file('PER-0006') },
  DeleteDisposal: { disposalId: disposal(2) },
  SubmitDisposal: { disposalId: disposal(3) },
  ApproveDisposal: { disposalId: disposal(4) },
  RejectDisposal: { disposalId: disposal(5) },
  GetDisposalCertificate: { disposalId: disposal(0) },
  DeleteWebhook: { webhookId: webhook(1) },
  DeleteExport: { exportId: ofExport(1) },
  DeleteRole: { roleId: ownRole },
};

/**
 * Returns ids in the demo tenant, as visible to its administrator, for the examples of the documentation. Omits resources
 * that were removed or renamed.
 *
 * @param url URL of this instance
 */
export async function demoExamples(configuration: Configuration, url: string): Promise<DemoExamples> {
  const token = await issueDemoToken({ configuration, user: demoUser('administrator') });
  const client = createFilingClient({ url, tenant: DEMO_TENANT.slug, token });
  const lists = new Map<string, readonly Item[]>();

  const idsOf = async (places: Readonly<Record<string, ResourceQuery>>): Promise<Record<string, string>> => {
    const ids: Record<string, string> = {};
    for (const [name, place] of Object.entries(places)) {
      const { where = {}, id = 'id' } = place;
      const list = JSON.stringify([place.list, place.query]);
      const items = lists.get(list) ?? (await itemsOf(client, place));
      lists.set(list, items);
      const found = items.find((item) => Object.entries(where).every(([key, value]) => item[key] === value));
      const value = found?.[id];
      if (typeof value === 'string') ids[name] = value;
    }
    return ids;
  };

  const ids = await idsOf(EXAMPLE_RESOURCES);
  if (ids.webhook) {
    const params = { path: { webhookId: ids.webhook } };
    const { data } = await client.GET('/webhooks/{webhookId}/deliveries', { params });
    const [delivery] = data.items;
    if (delivery) ids.delivery = delivery.id;
  }
  const operations: Record<string, Record<string, string>> = {};
  for (const [operation, places] of Object.entries(OPERATION_RESOURCES))
    operations[operation] = await idsOf(places);
  return { ids, operations };
}

/** Items of a page or an array; empty if the request fails. */
async function itemsOf(client: FilingClient, { list, query }: ResourceQuery): Promise<readonly Item[]> {
  try {
    const { data } = await client.GET(list, { params: { query } });
    return Array.isArray(data) ? data : data.items;
  } catch (error) {
    if (error instanceof FilingProblem) return [];
    throw error;
  }
}
