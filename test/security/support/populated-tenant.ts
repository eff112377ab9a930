import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { sequenced } from '../../platform/events/event-log.js';
import { entryWithLeaf, saveCheckpoints } from '../../factories/audit-log.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { savePreview } from '../../factories/document-previews.js';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { saveContentText } from '../../factories/document-texts.js';
import { saveClosedFile, saveDisposal } from '../../factories/disposals.js';
import { saveDocument, saveTag, saveVersion } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { saveInvitation } from '../../factories/invitations.js';
import { saveNotification } from '../../factories/notifications.js';
import { saveRetention } from '../../factories/retentions.js';
import { saveRole } from '../../factories/roles.js';
import { saveView } from '../../factories/saved-views.js';
import { saveExport } from '../../factories/exports.js';
import { saveDelivery, saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { type TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Users with the same rights in every populated tenant. */
export interface CrossTenantUsers {
  readonly administrator: Actor;
  /** A guest everywhere, with a Write grant on one file of each tenant. */
  readonly guest: Actor;
  /** Invited to every tenant and member of none: one for accepting, one for declining. */
  readonly invited: Actor;
  readonly invitedToo: Actor;
}

export async function createCrossTenantUsers(service: TestService): Promise<CrossTenantUsers> {
  const unrelated = await service.tenant();
  return {
    administrator: await unrelated.nonMember(),
    guest: await unrelated.nonMember(),
    invited: await unrelated.nonMember(),
    invitedToo: await unrelated.nonMember(),
  };
}

export interface PopulatedTenant {
  readonly tenant: TestTenant;
  /** Ids by the name of the resource, and the secrets of invitations and the slug. */
  readonly identifiers: Readonly<Record<string, string>>;
  /** An editor who is a member of this tenant only. */
  readonly member: Actor;
}

/**
 * Writes resources of every kind directly to the database, at least two of each kind that has a list, so that every
 * list has a second page. Every name contains the tenant's slug, so that a leaked name is recognised.
 */
export async function populateTenant(tenant: TestTenant, users: CrossTenantUsers): Promise<PopulatedTenant> {
  const { slug } = tenant;
  const identifiers: Record<string, string> = { slug };
  const add = async (name: string, created: Promise<string | { readonly id: string }>): Promise<void> => {
    const resource = await created;
    identifiers[name] = typeof resource === 'string' ? resource : resource.id;
  };
  const idOf = (name: string): string => identifiers[name] ?? '';

  const [administrator, guest, member, listedMember, spareMember] = await Promise.all([
    tenant.addMember(users.administrator, 'administrator'),
    tenant.addMember(users.guest, 'guest'),
    tenant.as('editor', `Member of ${slug}`),
    tenant.as('viewer', `Listed in ${slug}`),
    tenant.as('viewer', `Spare of ${slug}`),
  ]);
  Object.assign(identifiers, {
    member: member.userId,
    listedMember: listedMember.userId,
    spareMember: spareMember.userId,
  });

  const links = [
    buildField('akte', { referenceTarget: 'File' }),
    buildField('anlage', { referenceTarget: 'Document' }),
    buildField('person', { referenceTarget: 'User' }),
  ];
  const names = (de: string, en: string) => ({ nameDe: `${de} in ${slug}`, nameEn: `${en} in ${slug}` });
  await Promise.all([
    add('fileType', saveFileType(tenant, { key: 'drawer', ...names('Lade', 'Drawer') })),
    add('secondFileType', saveFileType(tenant, { key: 'shelf', ...names('Regal', 'Shelf') })),
    add('documentType', saveDocumentType(tenant, { ...names('Brief', 'Letter'), fields: links })),
    add('inactiveType', saveDocumentType(tenant, { ...names('Fax', 'Fax'), isActive: false })),
    add('spareType', saveDocumentType(tenant, names('Telegramm', 'Telegram'))),
    ...['tag', 'otherTag', 'spareTag'].map((name) => add(name, saveTag(tenant, `${name} of ${slug}`))),
    ...['role', 'spareRole'].map((name) => add(name, saveRole(tenant, ['files.read'], `${name} of ${slug}`))),
    ...['notification', 'secondNotification'].map((name) =>
      add(name, saveNotification(tenant, administrator)),
    ),
    add('auditEntry', entryWithLeaf(tenant)),
    saveCheckpoints(tenant),
    add('invitation', saveInvitation(tenant, administrator)),
    add('webhook', saveWebhook(tenant, administrator, { url: `https://${slug}.example/` })),
    add('spareWebhook', saveWebhook(tenant, administrator, { url: `https://${slug}.example/spare` })),
    ...['export', 'spareExport'].map((name) =>
      add(name, saveExport(tenant, administrator, { name: `${name} of ${slug}` })),
    ),
    add(
      'disabledWebhook',
      saveWebhook(tenant, administrator, { url: `https://${slug}.example/`, disabledReason: 'Manual' }),
    ),
    ...(['invited', 'invitedToo'] as const).map(async (name) => {
      const { secret } = await saveInvitation(tenant, administrator, { email: users[name].email });
      identifiers[name === 'invited' ? 'secret' : 'secondSecret'] = secret;
    }),
  ]);

  for (const name of ['delivery', 'secondDelivery']) await add(name, saveDelivery(tenant, idOf('webhook')));

  const fileTypeId = idOf('fileType');
  await Promise.all(
    ['file', 'otherFile', 'closedFile', 'fileToClose', 'emptyFile'].map((name) => {
      const status = name === 'closedFile' ? 'Closed' : 'Open';
      const file = { fileTypeId, name: `${name} of ${slug}`, status } as const;
      return add(name, saveFile(tenant, administrator, file));
    }),
  );

  const [fileIds, tagIds] = [[idOf('file')], [idOf('tag')]];
  const listed = [administrator, listedMember];
  const document = (name: string, overrides: Parameters<typeof saveDocument>[2] = {}) =>
    add(name, saveDocument(tenant, administrator, { ...overrides, title: `${name} of ${slug}` }));
  await Promise.all([
    document('document', { fileIds, tagIds }),
    document('secondDocument', { fileIds, tagIds }),
    document('archivedDocument', { status: 'Archived' }),
    document('binnedDocument', { status: 'Deleted' }),
    document('confidentialDocument', { confidentialTo: listed }),
    document('secondConfidentialDocument', { confidentialTo: listed }),
    ...['documentToArchive', 'documentToHide', 'spareDocument'].map((name) => document(name)),
    add('spareHold', saveHold(tenant, administrator, { name: `Spare hold of ${slug}` })),
    add('grant', saveAccessGrant(tenant, member, { file: idOf('otherFile') })),
    add('grantOfGuest', saveAccessGrant(tenant, guest, { file: idOf('file') }, { level: 'Write' })),
  ]);

  // Files and documents that no other operation takes away.
  await add(
    'hold',
    saveHold(tenant, administrator, {
      name: `Hold of ${slug}`,
      reason: `Reason in ${slug}`,
      fileIds: [idOf('closedFile'), idOf('fileToClose')],
      documentIds: [idOf('archivedDocument'), idOf('documentToArchive'), idOf('documentToHide')],
    }),
  );

  const dueFileTypeId = (await saveFileType(tenant, { key: 'due', ...names('Fällig', 'Due') })).id;
  identifiers.dueFileType = dueFileTypeId;
  await saveRetention(tenant, dueFileTypeId, 'P1Y');
  for (const name of ['dueFile', 'fileInDisposal', 'spareFileInDisposal', 'otherFileInDisposal'])
    await add(
      name,
      saveClosedFile(tenant, administrator, { fileTypeId: dueFileTypeId, name: `${name} of ${slug}` }),
    );
  const disposal = (name: string, overrides: Partial<Parameters<typeof saveDisposal>[2]> = {}) =>
    add(
      name,
      saveDisposal(tenant, member, { fileTypeId: dueFileTypeId, name: `${name} of ${slug}`, ...overrides }),
    );
  await disposal('disposal', { fileIds: [idOf('fileInDisposal'), idOf('otherFileInDisposal')] });
  await disposal('spareDisposal', { fileIds: [idOf('spareFileInDisposal')] });
  for (const name of ['disposalToSubmit', 'disposalToDelete']) await disposal(name);
  for (const name of ['submittedDisposal', 'spareSubmittedDisposal'])
    await disposal(name, { status: 'Submitted' });
  await disposal('completedDisposal', { status: 'Completed' });

  const filter = { documentTypeId: idOf('documentType'), fileId: idOf('file'), tagIds };
  await Promise.all([
    add('savedView', saveView(tenant, administrator, { name: `View of ${slug}`, filter })),
    add('spareView', saveView(tenant, administrator, { name: `Spare view of ${slug}` })),
    tenant.service.query(
      'UPDATE documents SET document_type_id = $3 WHERE tenant_id = $1 AND id = ANY ($2)',
      [tenant.id, [idOf('document'), idOf('secondDocument')], idOf('documentType')],
    ),
    tenant.service.app
      .get(UnitOfWork)
      .write(
        { tenantId: tenant.id, actorId: member.userId, actorName: member.name, accessVersion: null },
        (tx) => {
          const about = (name: string) => ({ subjectId: idOf(name), summary: `${name} of ${slug}` });
          tx.record({ action: 'TagRenamed', ...about('tag') });
          tx.record({ action: 'FileRenamed', ...about('file'), related: { fileTypeId } });
          tx.record({ action: 'DocumentUpdated', ...about('document') });
          tx.record({ action: 'MemberRoleChanged', ...about('member'), related: { roleId: idOf('role') } });
          return Promise.resolve();
        },
      ),
  ]);
  for (const version of ['First', 'Second'])
    await saveVersion(tenant, administrator, idOf('document'), {
      bytes: `${version} version in ${slug}`,
      mediaType: 'application/pdf',
    });
  await savePreview(tenant, idOf('document'), { version: 2, image: Buffer.from(`Preview in ${slug}`) });
  await saveVersion(tenant, administrator, idOf('secondDocument'), { bytes: `Content in ${slug}` });
  for (const name of ['document', 'secondDocument'])
    await saveContentText(tenant, idOf(name), `Text in ${slug}`);
  await sequenced(tenant);
  return { tenant, identifiers, member };
}

/** All rows of a tenant in all tables, as text. */
export async function rowsOf({ service, id }: TestTenant): Promise<string[]> {
  const tables = await service.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
  );
  const all = tables.map(({ name }) => `SELECT t::text AS row FROM ${name} t WHERE tenant_id = $1`);
  const rows = await service.query<{ row: string }>(all.join(' UNION ALL '), [id]);
  return rows.map(({ row }) => row);
}

/** All UUIDs in the rows of a tenant, including its own id. */
export async function idsIn(tenant: TestTenant): Promise<Set<string>> {
  return new Set((await rowsOf(tenant)).flatMap((row) => row.match(UUID) ?? []));
}

export const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
