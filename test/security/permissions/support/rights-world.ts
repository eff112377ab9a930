import { saveVersion } from '../../../factories/documents.js';
import { saveFile, saveFileType } from '../../../factories/files.js';
import { giveRole, saveRole } from '../../../factories/roles.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type WallClient } from '../../support/wall-client.js';
import { type Action, BUILT_IN, type By, type History, PEOPLE } from './rights-history.js';
import { type Answer, STARTING_DOCUMENTS, ascending, at } from './rights-model-things.js';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Listed {
  readonly items: readonly {
    readonly id: string;
    readonly documentId?: string;
    readonly fileIds?: readonly string[];
  }[];
  readonly nextCursor: string | null;
}

export interface Notice {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A word that all titles have. */
export const COMMON = 'Gemeinsam';

/**
 * People and things of a history by their numbers, in a tenant of the service that is asked over HTTP, on several
 * instances in turn: whatever one of them has changed, the next one is asked about.
 */
export abstract class RightsWorld {
  protected readonly people: Actor[] = [];
  protected readonly types: string[] = [];
  protected readonly roles: string[] = [];
  protected readonly files: string[] = [];
  protected readonly documents: string[] = [];
  protected readonly grants: string[] = [];
  /** How often a file or document has been changed, which its name or title says. */
  protected readonly revisions = new Map<string, number>();
  private turn = 0;

  constructor(
    protected readonly tenant: TestTenant,
    private readonly clients: readonly WallClient[],
  ) {}

  /** `done`, or the code of the problem. */
  abstract perform(action: By<Action>): Promise<string>;

  protected get service(): TestService {
    return this.tenant.service;
  }

  /** As {@link RightsModel} begins. */
  protected async begin({ roles, memberships }: Pick<History, 'roles' | 'memberships'>): Promise<void> {
    const { tenant, service } = this;
    for (let person = 0; person < PEOPLE; person += 1)
      this.people.push(await tenant.as(person === 0 ? 'administrator' : 'editor', `Person ${person}`));
    for (const key of BUILT_IN) this.roles.push(await tenant.roleId(key));
    for (const [index, permissions] of roles.entries())
      this.roles.push((await saveRole(tenant, permissions, `Role ${BUILT_IN.length + index}`)).id);
    this.types.push((await saveFileType(tenant)).id, (await saveFileType(tenant)).id);
    for (const [index, type] of [0, 0, 1, 1].entries()) {
      const fileTypeId = at(this.types, type);
      const file = await saveFile(tenant, this.person(0), {
        ...{ fileTypeId, number: String(index), name: this.nameOf(`file ${index}`) },
      });
      this.files.push(file.id);
    }
    for (const [document, { creator, files, hasContent, isInBin, list }] of STARTING_DOCUMENTS.entries()) {
      await this.must({ kind: 'CreateDocument', by: creator, files, secret: list !== null });
      const id = at(this.documents, document);
      if (hasContent) await saveVersion(tenant, this.person(creator), id, { bytes: `The content of ${id}` });
      if (isInBin) await this.must({ kind: 'DeleteDocument', by: 0, document });
      for (const person of list ?? [])
        await this.must({ kind: 'AddConfidentialUser', by: creator, document, person });
      if (list && !list.includes(creator))
        await this.must({ kind: 'RemoveConfidentialUser', by: 0, document, person: creator });
    }
    await service.query('DELETE FROM notifications WHERE tenant_id = $1', [tenant.id]);
    for (const [index, role] of memberships.entries()) {
      const person = this.person(index + 1);
      if (role !== null) await giveRole(tenant, person, this.role(role));
      else
        await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
          tenant.id,
          person.userId,
        ]);
    }
    await service.query('UPDATE members SET first_called_at = NULL WHERE tenant_id = $1 AND user_id <> $2', [
      tenant.id,
      this.person(0).userId,
    ]);
    await tenant.accessChanged();
  }

  private async must(action: By<Action>): Promise<void> {
    const outcome = await this.perform(action);
    if (outcome !== 'done') throw new Error(`The world does not begin: ${outcome}`);
  }

  protected async create(things: string[], by: number, path: string, body: object): Promise<string> {
    const reply = await this.send(by, 'POST', path, body);
    if (reply.status === 201) things.push((reply.body as { id: string }).id);
    return outcome(reply);
  }

  /** With a new name, which stays the old one if that is refused. */
  protected async revise(what: string, send: (name: string) => Promise<Reply>): Promise<string> {
    const former = this.revisions.get(what) ?? 0;
    this.revisions.set(what, former + 1);
    const told = outcome(await send(this.nameOf(what)));
    if (told !== 'done') this.revisions.set(what, former);
    return told;
  }

  protected async read<T>(by: number, path: string, see: (body: T) => Answer): Promise<Answer> {
    const reply = await this.send(by, 'GET', path);
    return reply.status === 200 ? see(reply.body as T) : outcome(reply);
  }

  protected async send(by: number, method: string, path: string, body?: object): Promise<Reply> {
    this.turn += 1;
    const client = at(this.clients, this.turn % this.clients.length);
    const { status, json } = await client.send({
      method,
      path: `/api/v1/t/${this.tenant.slug}${path}`,
      token: this.person(by).token,
      ...(body && { body: JSON.stringify(body), contentType: 'application/json' }),
    });
    return { status, body: json };
  }

  /** By numbers in their order; whatever else is on the list shows as -1. */
  protected numbers({ items, nextCursor }: Listed, things: readonly string[]): number[] {
    if (nextCursor !== null) throw new Error('The list is longer than a page');
    return items.map(({ id, documentId }) => things.indexOf(documentId ?? id)).sort(ascending);
  }

  protected fileNumbers(ids: readonly string[]): number[] {
    return ids.map((id) => this.files.indexOf(id)).sort(ascending);
  }

  /** As the model words it. */
  protected wording({ type, parameters }: Notice): string {
    const { documentId, fileId, roleId, level, targetType, targetId } = parameters;
    const number = (things: readonly string[], id?: string) => (id === undefined ? '-' : things.indexOf(id));
    const targets = targetType === 'File' ? this.files : this.types;
    const target = targetId === undefined ? '-' : `${level} ${targetType} ${targets.indexOf(targetId)}`;
    const named = [number(this.documents, documentId), number(this.files, fileId), target];
    return [type, ...named, number(this.roles, roleId)].join(' ');
  }

  protected nameOf(what: string): string {
    return `${what}, ${this.revisions.get(what) ?? 0}`;
  }

  protected titleOf(document: number): string {
    const revision = this.revisions.get(`document ${document}`) ?? 0;
    return `${COMMON} ${wordOf(document)} ${revision}`;
  }

  protected path(document: number): string {
    return `/documents/${at(this.documents, document)}`;
  }

  protected person(number: number): Actor {
    return at(this.people, number);
  }

  protected file(number: number): string {
    return at(this.files, number);
  }

  protected role(number: number): string {
    return at(this.roles, number);
  }
}

/** A word that only this document's title has. */
export function wordOf(document: number): string {
  return `kennung${document}x`;
}

export function outcome({ status, body }: Reply): string {
  if (status < 300) return 'done';
  const { type } = body as { type?: string };
  if (status >= 500 || !type) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return type.replace('/problems/', '');
}
