import { ExpirySweep } from '../../../../src/platform/tenancy/tenants/expiry-sweep.js';
import { type TestService } from '../../../support/service/service.js';
import { type Action, type ByUser, type History, type Query } from './rights-history.js';
import { type QueryResult, ascending, itemAt } from './rights-model-types.js';
import {
  COMMON_WORD,
  type ResourceList,
  type ServiceAccess,
  type ServiceNotification,
  ServiceDriverBase,
  outcome,
  uniqueWordOf,
} from './service-driver-base.js';
import { type ConformanceClient } from '../../support/conformance-client.js';

const HOUR_MS = 3_600_000;

/** Sends the actions and queries of a random history to the service. RightsModel computes the expected results. */
export class ServiceDriver extends ServiceDriverBase {
  /** Creates the initial state in a new tenant. */
  static async prepare(
    service: TestService,
    instances: readonly ConformanceClient[],
    history: Pick<History, 'roles' | 'memberships'>,
  ): Promise<ServiceDriver> {
    const driver = new ServiceDriver(await service.tenant(), instances);
    await driver.setUp(history);
    return driver;
  }

  override async perform(action: ByUser<Action>): Promise<string> {
    const { by } = action;
    switch (action.kind) {
      case 'CreateFile': {
        const number = this.files.length;
        const name = this.nameOf(`file ${number}`);
        const body = { fileTypeId: itemAt(this.types, action.type), number: String(number), name };
        return this.create(this.files, by, '/files', body);
      }
      case 'RenameFile':
        return this.revise(`file ${action.file}`, (name) =>
          this.send(by, 'PUT', `/files/${this.file(action.file)}`, { name }),
        );
      case 'CloseFile':
        return outcome(await this.send(by, 'POST', `/files/${this.file(action.file)}/close`));
      case 'ReopenFile':
        return outcome(await this.send(by, 'POST', `/files/${this.file(action.file)}/reopen`));
      case 'DeleteFile':
        return outcome(await this.send(by, 'DELETE', `/files/${this.file(action.file)}`));
      case 'CreateDocument':
        return this.create(this.documents, by, '/documents', {
          title: this.titleOf(this.documents.length),
          fileIds: action.files.map((file) => this.file(file)),
          isConfidential: action.confidential,
        });
      case 'UpdateDocument':
        return this.revise(`document ${action.document}`, () =>
          this.send(by, 'PUT', this.path(action.document), { title: this.titleOf(action.document) }),
        );
      case 'FileDocument':
      case 'UnfileDocument': {
        const path = `${this.path(action.document)}/files/${this.file(action.file)}`;
        return outcome(await this.send(by, action.kind === 'FileDocument' ? 'PUT' : 'DELETE', path));
      }
      case 'ArchiveDocument':
        return outcome(await this.send(by, 'POST', `${this.path(action.document)}/archive`));
      case 'UnarchiveDocument':
        return outcome(await this.send(by, 'POST', `${this.path(action.document)}/unarchive`));
      case 'DeleteDocument':
        return outcome(await this.send(by, 'DELETE', this.path(action.document)));
      case 'RestoreDocument':
        return outcome(await this.send(by, 'POST', `${this.path(action.document)}/restore`));
      case 'ChangeConfidentiality': {
        const body = { isConfidential: action.confidential };
        return outcome(await this.send(by, 'PUT', `${this.path(action.document)}/confidentiality`, body));
      }
      case 'AddConfidentialUser':
      case 'RemoveConfidentialUser': {
        const path = `${this.path(action.document)}/confidential-access/${this.user(action.user).userId}`;
        return outcome(await this.send(by, action.kind === 'AddConfidentialUser' ? 'PUT' : 'DELETE', path));
      }
      case 'CreateAccessGrant': {
        const { to, on, level, hasExpiry } = action;
        return this.create(this.grants, by, '/access-grants', {
          subjectType: to,
          subjectId: to === 'User' ? this.user(action.user).userId : this.role(action.role),
          targetType: on,
          targetId: on === 'File' ? this.file(action.file) : itemAt(this.types, action.type),
          level,
          expiresAt: hasExpiry ? new Date(Date.now() + HOUR_MS).toISOString() : null,
        });
      }
      case 'RevokeAccess':
        return outcome(await this.send(by, 'DELETE', `/access-grants/${itemAt(this.grants, action.grant)}`));
      case 'CreateRole': {
        const { permissions } = action;
        return this.create(this.roles, by, '/roles', { name: `Role ${this.roles.length}`, permissions });
      }
      case 'UpdateRole': {
        const { role, permissions } = action;
        return outcome(
          await this.send(by, 'PUT', `/roles/${this.role(role)}`, { name: `Role ${role}`, permissions }),
        );
      }
      case 'DeleteRole':
        return outcome(await this.send(by, 'DELETE', `/roles/${this.role(action.role)}`));
      case 'AddMember': {
        const { subject } = this.user(action.user);
        const body = { issuer: this.service.issuer.url, subject, roleId: this.role(action.role) };
        return outcome(await this.send(by, 'POST', '/members', body));
      }
      case 'ChangeMemberRole': {
        const path = `/members/${this.user(action.user).userId}`;
        return outcome(await this.send(by, 'PUT', path, { roleId: this.role(action.role) }));
      }
      case 'RemoveMember':
        return outcome(await this.send(by, 'DELETE', `/members/${this.user(action.user).userId}`));
      case 'TimePasses':
        // The grant expires by the clock of the database. The instances are not notified.
        await this.service.query(
          `UPDATE access_grants SET expires_at = now() - interval '1 second'
            WHERE tenant_id = $1 AND id = $2 AND expires_at > now()`,
          [this.tenant.id, itemAt(this.grants, action.grant)],
        );
        return 'done';
      case 'Sweep':
        await this.service.app.get(ExpirySweep).sweep();
        return 'done';
    }
  }

  async runQuery(query: ByUser<Query>): Promise<QueryResult> {
    const { by } = query;
    switch (query.kind) {
      case 'GetTenantMe':
        return this.read<{ permissions: string[] }>(by, '/me', ({ permissions }) => [...permissions].sort());
      case 'ListFiles':
        return this.read<ResourceList>(by, '/files?limit=200', (list) => this.numbers(list, this.files));
      case 'GetFile':
        return this.read<{ status: string }>(by, `/files/${this.file(query.file)}`, ({ status }) => [status]);
      case 'RenameFile': {
        const name = this.nameOf(`file ${query.file}`);
        return outcome(await this.send(by, 'PUT', `/files/${this.file(query.file)}`, { name }));
      }
      case 'ListFileDocuments':
        return this.read<ResourceList>(by, `/files/${this.file(query.file)}/documents?limit=200`, (list) =>
          this.numbers(list, this.documents),
        );
      case 'FindInFile':
        return this.read<ResourceList>(by, `/documents?limit=200&fileId=${this.file(query.file)}`, (list) =>
          this.numbers(list, this.documents),
        );
      case 'ListDocuments': {
        const status = query.status === null ? '' : `&status=${query.status}`;
        return this.read<ResourceList>(by, `/documents?limit=200${status}`, (list) => {
          const files = new Map(list.items.map(({ id, fileIds }) => [id, fileIds ?? []]));
          const documents = this.numbers(list, this.documents);
          return documents.map((n) => [n, this.fileNumbers(files.get(itemAt(this.documents, n)) ?? [])]);
        });
      }
      case 'SearchDocuments': {
        const body = { q: COMMON_WORD, order: query.order, limit: 200 };
        const found = await this.send(by, 'POST', '/documents/search', body);
        return found.status === 200
          ? this.numbers(found.body as ResourceList, this.documents)
          : outcome(found);
      }
      case 'FindTitle':
        return this.read<ResourceList>(
          by,
          `/documents?limit=200&q=%22${uniqueWordOf(query.document)}%22`,
          (list) => this.numbers(list, this.documents),
        );
      case 'GetDocument':
        return this.read<{ status: string; isConfidential: boolean; fileIds: string[] }>(
          by,
          this.path(query.document),
          ({ status, isConfidential, fileIds }) => ({
            status,
            isConfidential,
            files: this.fileNumbers(fileIds),
          }),
        );
      case 'GetDocumentContent':
        return outcome(await this.send(by, 'GET', `${this.path(query.document)}/content`));
      case 'GetDocumentText':
        return outcome(await this.send(by, 'GET', `${this.path(query.document)}/text`));
      case 'GetDocumentPreview':
        return outcome(await this.send(by, 'GET', `${this.path(query.document)}/preview`));
      case 'ListFileAccess':
        return this.readers(by, `/files/${this.file(query.file)}/access`);
      case 'ListDocumentAccess':
        return this.readers(by, `${this.path(query.document)}/access`);
      case 'GetMemberAccess': {
        const subject =
          'file' in query
            ? `fileId=${this.file(query.file)}`
            : `documentId=${itemAt(this.documents, query.document)}`;
        const path = `/members/${this.user(query.user).userId}/access?${subject}`;
        return this.read<ServiceAccess & { canRead: boolean; missing: string[] }>(by, path, (access) => ({
          ...{ canRead: access.canRead, canWrite: access.canWrite, missing: access.missing },
          reasons: this.reasons(access),
        }));
      }
      case 'UpdateDocument': {
        const title = this.titleOf(query.document);
        return outcome(await this.send(by, 'PUT', this.path(query.document), { title }));
      }
      case 'ListConfidentialUsers':
        return this.read<{ items: { userId: string }[] }>(
          by,
          `${this.path(query.document)}/confidential-access`,
          ({ items }) =>
            items.map(({ userId }) => this.users.findIndex((user) => user.userId === userId)).sort(ascending),
        );
      case 'ListConfidentialDocuments':
        return this.read<{ items: { id: string; userCount: number }[] }>(
          by,
          '/confidential-documents?limit=200',
          ({ items }) =>
            items
              .map(({ id, userCount }) => [this.documents.indexOf(id), userCount])
              .sort(([one = 0], [other = 0]) => ascending(one, other)),
        );
      case 'ListNotifications':
        return this.read<{ items: ServiceNotification[] }>(by, '/notifications?limit=200', ({ items }) =>
          items.map((notification) => this.notificationText(notification)).sort(),
        );
      case 'ListAuditEntries':
        return this.read<{ items: { summary: string | null }[] }>(
          by,
          `/audit-log?limit=200&subjectId=${itemAt(this.documents, query.document)}`,
          ({ items }) => {
            const withSummary = items.filter(({ summary }) => summary !== null);
            if (withSummary.length === 0) return 'without summaries';
            return withSummary.length === items.length ? 'with summaries' : 'some with summaries';
          },
        );
    }
  }
}
