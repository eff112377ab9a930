import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { TenantsReader, type TenantsWithWork } from '../../../src/platform/tenancy/tenants/tenants.reader.js';
import { LexiconUpdates } from '../../../src/resources/documents/words/lexicon-updates.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocumentType } from '../../factories/document-types.js';
import { saveDocumentWithText } from '../../factories/document-texts.js';
import { savePreview } from '../../factories/document-previews.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveDisposal } from '../../factories/disposals.js';
import { saveExport } from '../../factories/exports.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveInvitation } from '../../factories/invitations.js';
import { saveNotification } from '../../factories/notifications.js';
import { saveDelivery, saveWebhook } from '../../factories/webhooks.js';
import { type Actor } from '../../support/actor.js';
import { connectAsService, tenantsInRows } from '../../support/service-session.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { treeComplete } from '../../resources/audit-log/evidence/evidence-fixture.js';

type Row = (tenant: TestTenant, admin: Actor, isDue: boolean) => Promise<unknown>;

/** For each function: the age of due rows, the table, and how to add a row. */
const KINDS: Record<TenantsWithWork['function'], { since?: string; table: string; save: Row }> = {
  tenants_with_expired_access_grants: {
    table: 'access_grants',
    save: async (tenant, admin, isDue) =>
      saveAccessGrant(
        tenant,
        admin,
        { file: (await saveFile(tenant, admin)).id },
        { expiresAt: isDue ? 'now()' : `now() + interval '1 hour'` },
      ),
  },
  tenants_with_expired_invitations: {
    table: 'invitations',
    save: (tenant, admin, isDue) => saveInvitation(tenant, admin, isDue ? { expiresAt: 'now()' } : {}),
  },
  tenants_with_expired_notifications: {
    since: '365 days',
    table: 'notifications',
    async save(tenant, admin, isDue) {
      await saveNotification(tenant, admin);
      if (isDue) await age(tenant, 'UPDATE notifications SET created_at', '365 days 1 minute');
    },
  },
  tenants_with_expired_idempotency_keys: {
    since: '24 hours',
    table: 'idempotency_keys',
    async save(tenant, admin, isDue) {
      await admin.post('/tags', { name: 'Bau' }).set('Idempotency-Key', 'key').expect(201);
      if (isDue) await age(tenant, 'UPDATE idempotency_keys SET created_at', '24 hours 1 minute');
    },
  },
  tenants_with_expired_webhook_deliveries: {
    since: '30 days',
    table: 'webhook_deliveries',
    async save(tenant, admin, isDue) {
      const { id } = await saveWebhook(tenant, admin);
      await saveDelivery(tenant, id);
      if (isDue) await age(tenant, 'UPDATE webhook_deliveries SET created_at', '30 days 1 minute');
    },
  },
  tenants_with_expired_document_previews: {
    since: '1 day',
    table: 'document_previews',
    async save(tenant, admin, isDue) {
      const { id } = await saveDocument(tenant, admin);
      await saveVersion(tenant, admin, id, { bytes: 'bytes' });
      await savePreview(tenant, id);
      if (isDue) await age(tenant, 'UPDATE document_previews SET created_at', '30 days 1 minute');
      else await age(tenant, 'UPDATE document_previews SET created_at', '29 days');
    },
  },
  tenants_with_due_exports: {
    table: 'exports',
    async save(tenant, admin, isDue) {
      await saveExport(tenant, admin);
      if (isDue) await age(tenant, 'UPDATE exports SET expires_at', '1 second');
    },
  },
  tenants_with_deleted_documents: {
    since: '30 days',
    table: 'documents',
    async save(tenant, admin, isDue) {
      await saveDocument(tenant, admin);
      const status = `status = 'Deleted', status_before_deletion = 'Active'`;
      await age(tenant, `UPDATE documents SET ${status}, deleted_at`, isDue ? '30 days 1 minute' : '29 days');
    },
  },
  tenants_with_processing_documents: {
    table: 'documents',
    save: async (tenant, admin, isDue) => {
      const document = await saveDocument(tenant, admin, isDue ? { status: 'Processing' } : {});
      await saveVersion(tenant, admin, document.id, { bytes: 'Text' });
      return document;
    },
  },
  tenants_with_word_changes: {
    table: 'word_queue',
    async save(tenant, admin, isDue) {
      await saveDocumentWithText(tenant, admin);
      if (!isDue) await tenant.service.app.get(LexiconUpdates).update(tenant.id);
    },
  },
  tenants_with_texts_to_fold: {
    table: 'text_foldings',
    async save(tenant, _, isDue) {
      if (isDue) await tenant.service.query('INSERT INTO text_foldings (tenant_id) VALUES ($1)', [tenant.id]);
    },
  },
  tenants_with_values_to_index: {
    table: 'document_types',
    async save(tenant, _, isDue) {
      await saveDocumentType(tenant);
      if (isDue)
        await tenant.service.query('UPDATE document_types SET index_before = id WHERE tenant_id = $1', [
          tenant.id,
        ]);
    },
  },
  tenants_with_audit_entries_without_leaf: {
    table: 'audit_trees',
    async save(tenant, _, isDue) {
      await treeComplete(tenant);
      if (isDue)
        await tenant.service.query('UPDATE audit_trees SET size = size - 1 WHERE tenant_id = $1', [
          tenant.id,
        ]);
    },
  },
  tenants_with_approved_disposals: {
    since: '1 minute',
    table: 'disposals',
    async save(tenant, admin, isDue) {
      await saveDisposal(tenant, admin, {
        fileTypeId: (await saveFileType(tenant)).id,
        status: isDue ? 'Approved' : 'Completed',
      });
      await age(tenant, 'UPDATE disposals SET approved_at', '2 minutes');
    },
  },
  tenants_with_audit_checkpoint_due: {
    since: '1 day',
    table: 'audit_trees',
    async save(tenant, _, isDue) {
      await treeComplete(tenant);
      if (isDue) await age(tenant, 'UPDATE audit_trees SET checkpoint_at', '24 hours 1 minute');
    },
  },
};

async function age({ service, id }: TestTenant, update: string, interval: string): Promise<void> {
  await service.query(`${update} = now() - $2::interval WHERE tenant_id = $1`, [id, interval]);
}

describe('TenantsReader.forEach', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it.each(Object.entries(KINDS))('of %s has only tenants with due rows', async (name, { since, save }) => {
    const [due, notDue] = [await service.tenant(), await service.tenant()];
    await save(due, await due.as('administrator'), true);
    await save(notDue, await notDue.as('administrator'), false);
    const found: string[] = [];
    const work = { function: name as TenantsWithWork['function'], ...(since !== undefined && { since }) };
    await service.app.get(TenantsReader).forEach(work, (id) => Promise.resolve(void found.push(id)));
    expect(found).toContain(due.id);
    expect(found).not.toContain(notDue.id);
  });

  it('leaves the rows themselves invisible without a tenant', async () => {
    const client = await connectAsService(service);
    try {
      for (const { table } of Object.values(KINDS)) {
        const rows = await service.query(`SELECT FROM ${table} LIMIT 1`);
        expect(rows).toHaveLength(1);
        expect(await tenantsInRows(client, {}, table)).toEqual([]);
      }
    } finally {
      await client.end();
    }
  });

  it('reads no table without a tenant', async () => {
    const text = 'SELECT tenant_id FROM documents';
    expect(await service.app.get(UnitOfWork).readAllTenants({ text })).toEqual([]);
  });
});
