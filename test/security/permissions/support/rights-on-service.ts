import { ExpirySweep } from '../../../../src/platform/tenancy/tenants/expiry-sweep.js';
import { type TestService } from '../../../support/service/service.js';
import { type Action, type By, type History, type Question } from './rights-history.js';
import { type Answer, ascending, at } from './rights-model-things.js';
import { COMMON, type Listed, type Notice, RightsWorld, outcome, wordOf } from './rights-world.js';
import { type WallClient } from '../../support/wall-client.js';

const IN_AN_HOUR_MS = 3_600_000;

/** What the model says and does, said and done by the service. */
export class RightsOnService extends RightsWorld {
  /** In a new tenant. */
  static async prepare(
    service: TestService,
    instances: readonly WallClient[],
    history: Pick<History, 'roles' | 'memberships'>,
  ): Promise<RightsOnService> {
    const world = new RightsOnService(await service.tenant(), instances);
    await world.begin(history);
    return world;
  }

  override async perform(action: By<Action>): Promise<string> {
    const { by } = action;
    switch (action.kind) {
      case 'CreateFile': {
        const number = this.files.length;
        const name = this.nameOf(`file ${number}`);
        const body = { fileTypeId: at(this.types, action.type), number: String(number), name };
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
          isConfidential: action.secret,
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
        const body = { isConfidential: action.secret };
        return outcome(await this.send(by, 'PUT', `${this.path(action.document)}/confidentiality`, body));
      }
      case 'AddConfidentialUser':
      case 'RemoveConfidentialUser': {
        const place = `${this.path(action.document)}/confidential-access/${this.person(action.person).userId}`;
        return outcome(await this.send(by, action.kind === 'AddConfidentialUser' ? 'PUT' : 'DELETE', place));
      }
      case 'CreateAccessGrant': {
        const { to, on, level, ends } = action;
        return this.create(this.grants, by, '/access-grants', {
          subjectType: to,
          subjectId: to === 'User' ? this.person(action.person).userId : this.role(action.role),
          targetType: on,
          targetId: on === 'File' ? this.file(action.file) : at(this.types, action.type),
          level,
          expiresAt: ends ? new Date(Date.now() + IN_AN_HOUR_MS).toISOString() : null,
        });
      }
      case 'RevokeAccess':
        return outcome(await this.send(by, 'DELETE', `/access-grants/${at(this.grants, action.grant)}`));
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
        const { subject } = this.person(action.person);
        const body = { issuer: this.service.issuer.url, subject, roleId: this.role(action.role) };
        return outcome(await this.send(by, 'POST', '/members', body));
      }
      case 'ChangeMemberRole': {
        const path = `/members/${this.person(action.person).userId}`;
        return outcome(await this.send(by, 'PUT', path, { roleId: this.role(action.role) }));
      }
      case 'RemoveMember':
        return outcome(await this.send(by, 'DELETE', `/members/${this.person(action.person).userId}`));
      case 'TimePasses':
        // By the database's clock, which alone decides; nothing tells the instances.
        await this.service.query(
          `UPDATE access_grants SET expires_at = now() - interval '1 second'
            WHERE tenant_id = $1 AND id = $2 AND expires_at > now()`,
          [this.tenant.id, at(this.grants, action.grant)],
        );
        return 'done';
      case 'Sweep':
        await this.service.app.get(ExpirySweep).sweep();
        return 'done';
    }
  }

  async ask(question: By<Question>): Promise<Answer> {
    const { by } = question;
    switch (question.kind) {
      case 'GetTenantMe':
        return this.read<{ permissions: string[] }>(by, '/me', ({ permissions }) => [...permissions].sort());
      case 'ListFiles':
        return this.read<Listed>(by, '/files?limit=200', (list) => this.numbers(list, this.files));
      case 'GetFile':
        return this.read<{ status: string }>(by, `/files/${this.file(question.file)}`, ({ status }) => [
          status,
        ]);
      case 'RenameFile': {
        const name = this.nameOf(`file ${question.file}`);
        return outcome(await this.send(by, 'PUT', `/files/${this.file(question.file)}`, { name }));
      }
      case 'ListFileDocuments':
        return this.read<Listed>(by, `/files/${this.file(question.file)}/documents?limit=200`, (list) =>
          this.numbers(list, this.documents),
        );
      case 'FindInFile':
        return this.read<Listed>(by, `/documents?limit=200&fileId=${this.file(question.file)}`, (list) =>
          this.numbers(list, this.documents),
        );
      case 'ListDocuments': {
        const status = question.status === null ? '' : `&status=${question.status}`;
        return this.read<Listed>(by, `/documents?limit=200${status}`, (list) => {
          const files = new Map(list.items.map(({ id, fileIds }) => [id, fileIds ?? []]));
          const documents = this.numbers(list, this.documents);
          return documents.map((n) => [n, this.fileNumbers(files.get(at(this.documents, n)) ?? [])]);
        });
      }
      case 'SearchDocuments': {
        const body = { q: COMMON, order: question.order, limit: 200 };
        const found = await this.send(by, 'POST', '/documents/search', body);
        return found.status === 200 ? this.numbers(found.body as Listed, this.documents) : outcome(found);
      }
      case 'FindTitle':
        return this.read<Listed>(by, `/documents?limit=200&q=%22${wordOf(question.document)}%22`, (list) =>
          this.numbers(list, this.documents),
        );
      case 'GetDocument':
        return this.read<{ status: string; isConfidential: boolean; fileIds: string[] }>(
          by,
          this.path(question.document),
          ({ status, isConfidential, fileIds }) => ({
            ...{ status, isConfidential, files: this.fileNumbers(fileIds) },
          }),
        );
      case 'GetDocumentContent':
        return outcome(await this.send(by, 'GET', `${this.path(question.document)}/content`));
      case 'UpdateDocument': {
        const title = this.titleOf(question.document);
        return outcome(await this.send(by, 'PUT', this.path(question.document), { title }));
      }
      case 'ListConfidentialUsers':
        return this.read<{ items: { userId: string }[] }>(
          by,
          `${this.path(question.document)}/confidential-access`,
          ({ items }) =>
            items
              .map(({ userId }) => this.people.findIndex((person) => person.userId === userId))
              .sort(ascending),
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
        return this.read<{ items: Notice[] }>(by, '/notifications?limit=200', ({ items }) =>
          items.map((notice) => this.wording(notice)).sort(),
        );
      case 'ListAuditEntries':
        return this.read<{ items: { summary: string | null }[] }>(
          by,
          `/audit-log?limit=200&subjectId=${at(this.documents, question.document)}`,
          ({ items }) => {
            const withSummary = items.filter(({ summary }) => summary !== null);
            if (withSummary.length === 0) return 'without summaries';
            return withSummary.length === items.length ? 'with summaries' : 'some with summaries';
          },
        );
    }
  }
}
