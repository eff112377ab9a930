import { setTimeout as sleep } from 'node:timers/promises';
import { type FilingClient, createFilingClient } from '../../../clients/typescript/client.js';
import { type BuiltInRoleKey } from '../../common/vocabulary/built-in-roles.js';
import { type Configuration } from '../../platform/config/configuration.js';
import { ownerDataSource } from '../../platform/database/data-source.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { DEMO_USERS, demoUser } from '../../platform/identity/embedded/demo-users.js';
import { issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import { Recording } from '../../platform/recording/recording.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { TenantsService } from '../../platform/tenancy/tenants/tenants.service.js';
import {
  DEMO_FILES,
  DEMO_DOCUMENT_TYPES,
  DEMO_FILE_TYPES,
  DEMO_GRANTED_FILES,
  DEMO_TAGS,
  DEMO_TENANT,
  type DemoDocument,
  type DemoFile,
  UNFINISHED_NAME,
} from './demo-content.js';
import { type CreatedIds, DemoExtras, idempotencyKey, ignoreConflict } from './demo-extras.js';
import { smallPdf } from './small-pdf.js';

const PROCESSING_TIMEOUT_MS = 30_000;

/**
 * Creates the demo tenant. Its content is created through the HTTP API as the demo users, so that the audit log is
 * realistic. All requests can be repeated: the next start completes a demo tenant that was left unfinished.
 */
export class DemoTenant {
  private readonly clients = new Map<BuiltInRoleKey, FilingClient>();
  /** False after documents were not processed in time: further files are then not waited for. */
  private hasWorker = true;

  constructor(
    private readonly configuration: Configuration,
    private readonly ownerUrl: string,
    /** URL of this instance. */
    private readonly url: string,
  ) {}

  /** Returns true if the tenant was created or completed, false if it was already complete. */
  async ensure(print: (line: string) => void): Promise<boolean> {
    if (!(await this.createIfMissing())) return false;
    print(`Creating the tenant ${DEMO_TENANT.slug} …`);
    // Users become members with their first request.
    for (const { roleKey } of DEMO_USERS) await this.clientFor(roleKey).then((client) => client.GET('/me'));
    const created: CreatedIds = {
      fileTypes: await this.fileTypes(),
      documentTypes: await this.documentTypes(),
      tags: await this.tags(),
      files: new Map(),
    };
    for (const file of DEMO_FILES) await this.fileWithDocuments(file, created);
    await this.closeLongAgo(created);
    await this.grantToGuest(created);
    const extras = new DemoExtras((roleKey) => this.clientFor(roleKey));
    await extras.ensure(created);
    await extras.dispose(idOf(created.fileTypes, 'personnel'), this.hasWorker ? PROCESSING_TIMEOUT_MS : 0);
    await this.writeAsOwner(async (tx) => {
      await tx.startAccessChange();
      await tx.query('UPDATE tenants SET name = $2 WHERE id = $1', [tx.tenantId, DEMO_TENANT.name]);
    });
    print(
      `  ${DEMO_FILES.length} files, ${DEMO_FILES.flatMap(({ documents }) => documents).length} documents, ${DEMO_USERS.length} users`,
    );
    return true;
  }

  /** Returns false if the tenant is already complete. */
  private createIfMissing(): Promise<boolean> {
    return this.asOwner(async (uow, tenant) => {
      if (!tenant) {
        const expectedMembers = DEMO_USERS.map(({ email, roleKey }) => ({ email, roleKey }));
        const { slug } = DEMO_TENANT;
        await new TenantsService(uow).create({ slug, name: UNFINISHED_NAME, expectedMembers });
      }
      return !tenant || tenant.name === UNFINISHED_NAME;
    });
  }

  /** The API has no times in the past. */
  private async closeLongAgo({ files }: CreatedIds): Promise<void> {
    await this.writeAsOwner(async (tx) => {
      for (const { number, closedOn } of DEMO_FILES)
        if (closedOn)
          await tx.query(
            'UPDATE files SET closed_at = $3 WHERE tenant_id = $1 AND id = $2 AND closed_at IS NOT NULL',
            [tx.tenantId, idOf(files, number), closedOn],
          );
    });
  }

  private async writeAsOwner(work: (tx: WriteTransaction) => Promise<void>): Promise<void> {
    await this.asOwner(async (uow, tenant) => {
      if (tenant) await uow.write(serviceContext(tenant.id), work);
    });
  }

  private async asOwner<T>(
    work: (uow: UnitOfWork, tenant: { id: string; name: string } | undefined) => Promise<T>,
  ): Promise<T> {
    const dataSource = await ownerDataSource(this.ownerUrl).initialize();
    try {
      const [tenant] = await dataSource.query<{ id: string; name: string }[]>(
        'SELECT t.id, t.name FROM tenants t JOIN tenant_slugs s ON s.tenant_id = t.id WHERE s.slug = $1',
        [DEMO_TENANT.slug],
      );
      return await work(await UnitOfWork.open(dataSource, new Recording()), tenant);
    } finally {
      await dataSource.destroy();
    }
  }

  private async clientFor(roleKey: BuiltInRoleKey): Promise<FilingClient> {
    let client = this.clients.get(roleKey);
    if (!client) {
      const token = await issueDemoToken({ configuration: this.configuration, user: demoUser(roleKey) });
      client = createFilingClient({ url: this.url, tenant: DEMO_TENANT.slug, token });
      this.clients.set(roleKey, client);
    }
    return client;
  }

  private async fileTypes(): Promise<Map<string, string>> {
    const manager = await this.clientFor('records_manager');
    for (const { key, nameDe, nameEn } of DEMO_FILE_TYPES)
      await manager
        .POST('/file-types', { body: { key, nameDe, nameEn }, ...idempotencyKey(key) })
        .catch(ignoreConflict);
    const ids = new Map<string, string>();
    for await (const { id, key } of manager.pages('/file-types')) ids.set(key, id);
    for (const { key, pattern, retention } of DEMO_FILE_TYPES) {
      const params = { path: { fileTypeId: idOf(ids, key) } };
      await manager.PUT('/file-types/{fileTypeId}/numbering', { params, body: { pattern } });
      await manager.PUT('/file-types/{fileTypeId}/retention', { params, body: retention });
    }
    return ids;
  }

  private async documentTypes(): Promise<Map<string, string>> {
    const manager = await this.clientFor('records_manager');
    for (const type of DEMO_DOCUMENT_TYPES)
      await manager
        .POST('/document-types', { body: type, ...idempotencyKey(`type-${type.key}`) })
        .catch(ignoreConflict);
    const ids = new Map<string, string>();
    for await (const { id, key } of manager.pages('/document-types')) ids.set(key, id);
    return ids;
  }

  private async grantToGuest({ files }: CreatedIds): Promise<void> {
    const { data: guest } = await (await this.clientFor('guest')).GET('/me');
    const manager = await this.clientFor('records_manager');
    for (const number of DEMO_GRANTED_FILES) {
      const body = {
        subjectType: 'User',
        subjectId: guest.user.id,
        targetType: 'File',
        targetId: idOf(files, number),
        level: 'Read',
        reason: 'Beteiligte Fachbehörde',
      } as const;
      await manager.POST('/access-grants', { body, ...idempotencyKey(`grant-${number}`) });
    }
  }

  private async tags(): Promise<Map<string, string>> {
    const manager = await this.clientFor('records_manager');
    for (const [index, name] of DEMO_TAGS.entries())
      await manager
        .POST('/tags', { body: { name }, ...idempotencyKey(`tag-${index}`) })
        .catch(ignoreConflict);
    const ids = new Map<string, string>();
    for await (const { id, name } of manager.pages('/tags')) ids.set(name, id);
    return ids;
  }

  private async fileWithDocuments(
    file: DemoFile,
    { fileTypes, documentTypes, tags, files }: CreatedIds,
  ): Promise<void> {
    const { number, name, type, by, closed, documents } = file;
    const client = await this.clientFor(by);
    const {
      data: { id },
    } = await client.POST('/files', {
      body: { fileTypeId: idOf(fileTypes, type), number, name },
      ...idempotencyKey(number),
    });
    files.set(number, id);
    const ids: string[] = [];
    for (const [index, document] of documents.entries()) {
      const body = {
        title: document.title,
        fileIds: [id],
        tagIds: (document.tags ?? []).map((tag) => idOf(tags, tag)),
        fields: document.fields ?? {},
        documentTypeId: document.type ? idOf(documentTypes, document.type) : null,
        isConfidential: document.confidentialTo !== undefined,
      };
      const content = contentOf(document);
      const filer = await this.clientFor(document.by ?? by);
      const { data: created } = await filer.POST('/documents', {
        body: content ? { document: body, content } : body,
        ...idempotencyKey(`${number}-${index}`),
      });
      ids.push(created.id);
      await this.applyState(document, created.id, filer);
    }
    if (closed) await this.close(id, ids);
  }

  private async applyState(
    { confidentialTo = [], state }: DemoDocument,
    id: string,
    client: FilingClient,
  ): Promise<void> {
    for (const roleKey of confidentialTo) {
      const { data } = await (await this.clientFor(roleKey)).GET('/me');
      const path = { documentId: id, userId: data.user.id };
      await client.PUT('/documents/{documentId}/confidential-access/{userId}', { params: { path } });
    }
    const params = { path: { documentId: id } };
    if (state === 'Archived')
      await client.POST('/documents/{documentId}/archive', { params }).catch(ignoreConflict);
    if (state === 'Deleted') await client.DELETE('/documents/{documentId}', { params }).catch(ignoreConflict);
  }

  /** Closes a file after its documents have been processed. Without a worker, the file stays open. */
  private async close(id: string, documentIds: readonly string[]): Promise<void> {
    const client = await this.clientFor('records_manager');
    const deadline = Date.now() + PROCESSING_TIMEOUT_MS;
    for (const documentId of documentIds) {
      while (this.hasWorker) {
        const { data } = await client.GET('/documents/{documentId}', { params: { path: { documentId } } });
        if (data.status !== 'Processing') break;
        this.hasWorker = Date.now() < deadline;
        await sleep(100);
      }
    }
    await client.POST('/files/{fileId}/close', { params: { path: { fileId: id } } }).catch(ignoreConflict);
  }
}

function idOf(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo tenant has no ${key}`);
  return id;
}

function contentOf({ title, pdf, text }: DemoDocument): File | null {
  if (pdf) return new File([new Uint8Array(smallPdf(pdf))], `${title}.pdf`, { type: 'application/pdf' });
  if (text) return new File([text], `${title}.txt`, { type: 'text/plain' });
  return null;
}
