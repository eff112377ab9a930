import { saveVersion } from '../../../factories/documents.js';
import { saveFile, saveFileType } from '../../../factories/files.js';
import { setMemberRole, saveRole } from '../../../factories/roles.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type ConformanceClient } from '../../support/conformance-client.js';
import { type Action, BUILT_IN_ROLES, type ByUser, type History, USER_COUNT } from './rights-history.js';
import { type QueryResult, INITIAL_DOCUMENTS, ascending, itemAt } from './rights-model-types.js';

export interface ServiceResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface ResourceList {
  readonly items: readonly {
    readonly id: string;
    readonly documentId?: string;
    readonly fileIds?: readonly string[];
  }[];
  readonly nextCursor: string | null;
}

export interface ServiceNotification {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ServiceAccess {
  readonly canWrite: boolean;
  readonly reasons: readonly {
    readonly kind: string;
    readonly roleId?: string;
    readonly grantId?: string;
    readonly fileId?: string | null;
  }[];
  readonly moreReasons: boolean;
}

/** A word in the titles of all documents. */
export const COMMON_WORD = 'Gemeinsam';

/**
 * Runs a random history (rights-history.ts) on the service over HTTP, in a new tenant. Maps the numbers of users and
 * resources in the history to ids. Sends consecutive requests to different instances, so that one instance reads what
 * another has changed.
 */
export abstract class ServiceDriverBase {
  protected readonly users: Actor[] = [];
  protected readonly types: string[] = [];
  protected readonly roles: string[] = [];
  protected readonly files: string[] = [];
  protected readonly documents: string[] = [];
  protected readonly grants: string[] = [];
  /** Number of renamings of each file or document. It is part of the name or title. */
  protected readonly revisions = new Map<string, number>();
  private requestCount = 0;

  constructor(
    protected readonly tenant: TestTenant,
    private readonly clients: readonly ConformanceClient[],
  ) {}

  /** Returns `done`, or the code of the problem. */
  abstract perform(action: ByUser<Action>): Promise<string>;

  protected get service(): TestService {
    return this.tenant.service;
  }

  /** Creates the initial state of {@link RightsModel}. */
  protected async setUp({ roles, memberships }: Pick<History, 'roles' | 'memberships'>): Promise<void> {
    const { tenant, service } = this;
    for (let user = 0; user < USER_COUNT; user += 1)
      this.users.push(await tenant.as(user === 0 ? 'administrator' : 'editor', `User ${user}`));
    for (const key of BUILT_IN_ROLES) this.roles.push(await tenant.roleId(key));
    for (const [index, permissions] of roles.entries())
      this.roles.push((await saveRole(tenant, permissions, `Role ${BUILT_IN_ROLES.length + index}`)).id);
    this.types.push((await saveFileType(tenant)).id, (await saveFileType(tenant)).id);
    for (const [index, type] of [0, 0, 1, 1].entries()) {
      const fileTypeId = itemAt(this.types, type);
      const file = await saveFile(tenant, this.user(0), {
        ...{ fileTypeId, number: String(index), name: this.nameOf(`file ${index}`) },
      });
      this.files.push(file.id);
    }
    for (const [document, { creator, files, hasContent, isInBin, list }] of INITIAL_DOCUMENTS.entries()) {
      await this.performOrThrow({ kind: 'CreateDocument', by: creator, files, confidential: list !== null });
      const id = itemAt(this.documents, document);
      // A type without preview: rendering for each query would take long.
      const content = { bytes: `The content of ${id}`, mediaType: 'application/octet-stream' };
      if (hasContent) await saveVersion(tenant, this.user(creator), id, content);
      if (isInBin) await this.performOrThrow({ kind: 'DeleteDocument', by: 0, document });
      for (const user of list ?? [])
        await this.performOrThrow({ kind: 'AddConfidentialUser', by: creator, document, user });
      if (list && !list.includes(creator))
        await this.performOrThrow({ kind: 'RemoveConfidentialUser', by: 0, document, user: creator });
    }
    // The model starts without notifications.
    await service.query('DELETE FROM notifications WHERE tenant_id = $1', [tenant.id]);
    for (const [index, role] of memberships.entries()) {
      const user = this.user(index + 1);
      if (role !== null) await setMemberRole(tenant, user, this.role(role));
      else
        await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
          tenant.id,
          user.userId,
        ]);
    }
    // In the model, only user 0 has sent a request so far.
    await service.query('UPDATE members SET first_called_at = NULL WHERE tenant_id = $1 AND user_id <> $2', [
      tenant.id,
      this.user(0).userId,
    ]);
    await tenant.increaseAccessVersion();
  }

  private async performOrThrow(action: ByUser<Action>): Promise<void> {
    const outcome = await this.perform(action);
    if (outcome !== 'done') throw new Error(`The initial state cannot be created: ${outcome}`);
  }

  protected async create(resources: string[], by: number, path: string, body: object): Promise<string> {
    const response = await this.send(by, 'POST', path, body);
    if (response.status === 201) resources.push((response.body as { id: string }).id);
    return outcome(response);
  }

  /** Sends a request with a new name or title. If it fails, restores the revision number. */
  protected async revise(
    resource: string,
    send: (name: string) => Promise<ServiceResponse>,
  ): Promise<string> {
    const previous = this.revisions.get(resource) ?? 0;
    this.revisions.set(resource, previous + 1);
    const result = outcome(await send(this.nameOf(resource)));
    if (result !== 'done') this.revisions.set(resource, previous);
    return result;
  }

  /** Converts the body of a 200; returns the code of a problem otherwise. */
  protected async read<T>(by: number, path: string, convert: (body: T) => QueryResult): Promise<QueryResult> {
    const response = await this.send(by, 'GET', path);
    return response.status === 200 ? convert(response.body as T) : outcome(response);
  }

  protected async send(by: number, method: string, path: string, body?: object): Promise<ServiceResponse> {
    this.requestCount += 1;
    const client = itemAt(this.clients, this.requestCount % this.clients.length);
    const { status, json } = await client.send({
      method,
      path: `/api/v1/t/${this.tenant.slug}${path}`,
      token: this.user(by).token,
      ...(body && { body: JSON.stringify(body), contentType: 'application/json' }),
    });
    return { status, body: json };
  }

  /** The numbers of the listed resources in ascending order; -1 for an unknown one. */
  protected numbers({ items, nextCursor }: ResourceList, resources: readonly string[]): number[] {
    if (nextCursor !== null) throw new Error('The list has more than one page');
    return items.map(({ id, documentId }) => resources.indexOf(documentId ?? id)).sort(ascending);
  }

  protected fileNumbers(ids: readonly string[]): number[] {
    return ids.map((id) => this.files.indexOf(id)).sort(ascending);
  }

  /** The members in a list of access, by number. */
  protected readers(by: number, path: string): Promise<QueryResult> {
    return this.read<{ items: (ServiceAccess & { userId: string })[] }>(by, path, ({ items }) =>
      items
        .map((access) => ({
          user: this.users.findIndex(({ userId }) => userId === access.userId),
          canWrite: access.canWrite,
          reasons: this.reasons(access),
        }))
        .sort((one, other) => ascending(one.user, other.user)),
    );
  }

  /** The reasons as text, in the same form as in {@link RightsModelAccess}. */
  protected reasons({ reasons, moreReasons }: ServiceAccess): QueryResult {
    if (moreReasons) return 'many';
    const text = (resources: readonly string[], id?: string | null) =>
      id == null ? '-' : resources.indexOf(id);
    return reasons
      .map(({ kind, roleId, grantId, fileId }) =>
        [kind, text(this.roles, roleId), text(this.grants, grantId), text(this.files, fileId)].join(' '),
      )
      .sort();
  }

  /** The notification as text, in the same form as in {@link RightsModel}. */
  protected notificationText({ type, parameters }: ServiceNotification): string {
    const { documentId, fileId, roleId, level, targetType, targetId } = parameters;
    const number = (resources: readonly string[], id?: string) =>
      id === undefined ? '-' : resources.indexOf(id);
    const targets = targetType === 'File' ? this.files : this.types;
    const target = targetId === undefined ? '-' : `${level} ${targetType} ${targets.indexOf(targetId)}`;
    const named = [number(this.documents, documentId), number(this.files, fileId), target];
    return [type, ...named, number(this.roles, roleId)].join(' ');
  }

  /** @param resource such as `file 3` */
  protected nameOf(resource: string): string {
    return `${resource}, ${this.revisions.get(resource) ?? 0}`;
  }

  protected titleOf(document: number): string {
    const revision = this.revisions.get(`document ${document}`) ?? 0;
    return `${COMMON_WORD} ${uniqueWordOf(document)} ${revision}`;
  }

  protected path(document: number): string {
    return `/documents/${itemAt(this.documents, document)}`;
  }

  protected user(number: number): Actor {
    return itemAt(this.users, number);
  }

  protected file(number: number): string {
    return itemAt(this.files, number);
  }

  protected role(number: number): string {
    return itemAt(this.roles, number);
  }
}

/** A word in the title of this document only. */
export function uniqueWordOf(document: number): string {
  return `kennung${document}x`;
}

export function outcome({ status, body }: ServiceResponse): string {
  if (status < 300) return 'done';
  const { type } = body as { type?: string };
  if (status >= 500 || !type) throw new Error(`Status ${status}: ${JSON.stringify(body)}`);
  return type.replace('/problems/', '');
}
