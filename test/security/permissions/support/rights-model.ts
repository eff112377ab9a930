import { type Permission, ALL_PERMISSIONS } from '../../../../src/common/vocabulary/permissions.js';
import {
  BUILT_IN_ROLES,
  type ByUser,
  type ResourceCounts,
  type History,
  type Query,
} from './rights-history.js';
import {
  type QueryResult,
  type ModelDocument,
  type ModelFile,
  type ModelGrant,
  type ModelRole,
  INITIAL_DOCUMENTS,
  resultOf,
  ascending,
  itemAt,
  refuse,
} from './rights-model-types.js';

/** The table of built-in roles. */
const BUILT_IN_PERMISSIONS: Record<(typeof BUILT_IN_ROLES)[number], readonly Permission[]> = {
  administrator: ALL_PERMISSIONS,
  editor: [
    ...(['files.read', 'files.create', 'files.update', 'files.close'] as const),
    ...(['documents.read', 'documents.create', 'documents.update', 'documents.file'] as const),
    ...(['documents.archive', 'documents.delete', 'fileTypes.read', 'documentTypes.read'] as const),
    ...(['tags.read', 'tags.manage', 'savedViews.manage', 'members.read'] as const),
  ],
  guest: ['documents.read', 'fileTypes.read', 'documentTypes.read', 'tags.read'],
};

/**
 * Who may see what, said as plainly as the specification's supplement says it: sets and numbers, no database, no cache,
 * no page. Nothing of the service is asked but its list of permissions. What can be done is {@link RightsModelWrites}.
 */
export class RightsModel {
  readonly roles: ModelRole[];
  /** Role of each member. */
  readonly members = new Map<number, number>([[0, 0]]);
  /** Members who have called since they became members. */
  readonly callers = new Set([0]);
  /** Two of the first type, two of the second, of which the last is empty. */
  readonly files: ModelFile[] = [0, 0, 1, 1].map((type) => ({
    ...{ creator: 0, type },
    isClosed: false,
    isGone: false,
  }));
  readonly documents: ModelDocument[] = INITIAL_DOCUMENTS.map((document) => ({
    creator: document.creator,
    hasContent: document.hasContent,
    files: new Set(document.files),
    status: document.isInBin ? 'Deleted' : 'Active',
    before: 'Active',
    list: document.list && new Set(document.list),
  }));
  readonly grants: ModelGrant[] = [];

  constructor({ roles, memberships }: Pick<History, 'roles' | 'memberships'>) {
    this.roles = [
      ...BUILT_IN_ROLES.map((key) => ({
        permissions: new Set(BUILT_IN_PERMISSIONS[key]),
        isBuiltIn: true,
        isGone: false,
      })),
      ...roles.map((permissions) => ({ permissions: new Set(permissions), isBuiltIn: false, isGone: false })),
    ];
    for (const [index, role] of memberships.entries()) {
      if (role !== null) this.members.set(index + 1, role);
    }
  }

  get counts(): ResourceCounts {
    const { files, documents, roles, grants } = this;
    return { file: files.length, document: documents.length, role: roles.length, grant: grants.length };
  }

  ask(query: ByUser<Query>): QueryResult {
    return resultOf(() => this.answer(query));
  }

  protected answer(query: ByUser<Query>): QueryResult {
    const { by } = query;
    if (query.kind === 'GetTenantMe') {
      if (!this.members.has(by)) refuse('resource.not-found');
      this.callers.add(by);
      return [...this.permissions(by)].sort();
    }
    this.refuseNonMembers(by);
    switch (query.kind) {
      case 'ListFiles':
        this.refuseWithoutFiles(by);
        return numbersOf(this.files).filter((file) => this.seesFile(by, file));
      case 'GetFile':
        this.refuseWithoutFiles(by);
        return this.getFile(by, query.file).isClosed ? ['Closed'] : ['Open'];
      case 'RenameFile':
        this.refuseUnless(this.mayChangeFile(by, query.file, 'files.update'));
        this.getFile(by, query.file);
        return 'done';
      case 'ListFileDocuments':
        this.refuseUnless(this.has(by, 'documents.read'));
        this.getFile(by, query.file);
        return this.documentsSeen(by).filter((document) => this.isIn(document, query.file));
      case 'FindInFile':
        this.refuseUnless(this.has(by, 'documents.read'));
        if (!this.seesFile(by, query.file)) return [];
        return this.listed(by, null).filter((document) => this.isIn(document, query.file));
      case 'ListDocuments':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.listed(by, query.status).map((document) => [document, this.filesShown(by, document)]);
      case 'SearchDocuments':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.listed(by, null);
      case 'FindTitle':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.listed(by, null).filter((document) => document === query.document);
      case 'GetDocument': {
        this.refuseUnless(this.has(by, 'documents.read'));
        const { status, list } = this.readDocument(by, query.document);
        return { status, isConfidential: list !== null, files: this.filesShown(by, query.document) };
      }
      case 'GetDocumentContent':
        this.refuseUnless(this.has(by, 'documents.read'));
        if (!this.readDocument(by, query.document).hasContent) refuse('document.without-content');
        return 'done';
      case 'UpdateDocument':
        this.refuseUnless(this.mayChangeDocument(by, query.document, 'documents.update'));
        this.refuseUneditable(this.getDocument(by, query.document));
        return 'done';
      case 'ListConfidentialUsers': {
        const { document: asked } = query;
        const isListed = this.document(asked).list?.has(by) === true && this.has(by, 'documents.read');
        this.refuseUnless(isListed || this.has(by, 'documents.confidential.manage'));
        const document = this.reachDocument(by, asked);
        if (document.status === 'Deleted' && !this.seesBin(by)) refuse('resource.not-found');
        return [...(document.list ?? [])].sort(ascending);
      }
      case 'ListConfidentialDocuments':
        this.refuseUnless(this.has(by, 'documents.confidential.manage'));
        return numbersOf(this.documents).flatMap((number) => {
          const { list, status } = this.document(number);
          return list === null || status === 'Deleted' ? [] : [[number, list.size]];
        });
      case 'ListAuditEntries':
        this.refuseUnless(this.has(by, 'auditLog.read'));
        return this.isHidden(by, this.document(query.document)) ? 'without summaries' : 'with summaries';
      case 'ListNotifications':
        throw new Error('Not here');
    }
  }

  permissions(user: number): ReadonlySet<Permission> {
    const role = this.members.get(user);
    return role === undefined ? new Set() : this.role(role).permissions;
  }

  has(user: number, permission: Permission): boolean {
    return this.permissions(user).has(permission);
  }

  /** Whether it is one that counts now. */
  protected isLive({ status }: ModelGrant): boolean {
    return status === 'Active';
  }

  private isFor({ subject }: ModelGrant, user: number): boolean {
    return (subject.kind === 'User' ? user : this.members.get(user)) === subject.number;
  }

  protected suffices({ level }: ModelGrant, asked: 'Read' | 'Write'): boolean {
    return asked === 'Read' || level === 'Write';
  }

  /** Grants that the user has now, of the level or more. */
  protected grantsOf(user: number, level: 'Read' | 'Write'): ModelGrant[] {
    return this.grants.filter(
      (grant) => this.isLive(grant) && this.isFor(grant, user) && this.suffices(grant, level),
    );
  }

  isGranted(user: number, file: number, level: 'Read' | 'Write'): boolean {
    const { type, isGone } = this.file(file);
    if (isGone) return false;
    return this.grantsOf(user, level).some(
      ({ target }) => target.number === (target.kind === 'File' ? file : type),
    );
  }

  seesFile(user: number, file: number): boolean {
    if (this.file(file).isGone) return false;
    return this.has(user, 'files.read') || this.isGranted(user, file, 'Read');
  }

  /** Confidential, and not to them. */
  protected isHidden(user: number, { list }: ModelDocument): boolean {
    return list !== null && !list.has(user);
  }

  /** To them it is there, be it in the bin. */
  protected seesDocument(user: number, document: ModelDocument): boolean {
    if (!this.has(user, 'documents.read')) return false;
    if (document.list !== null) return document.list.has(user);
    if (this.has(user, 'files.read') || document.creator === user) return true;
    return [...document.files].some((file) => this.seesFile(user, file));
  }

  protected seesBin(user: number): boolean {
    return this.has(user, 'documents.delete') || this.has(user, 'documents.restore');
  }

  private documentsSeen(user: number): number[] {
    return numbersOf(this.documents).filter((document) => this.seesDocument(user, this.document(document)));
  }

  /** On lists without a status, what is not in the bin. */
  private listed(user: number, asked: ModelDocument['status'] | null): number[] {
    return this.documentsSeen(user).filter((number) => {
      const { status } = this.document(number);
      if (status === 'Deleted' && !this.seesBin(user)) return false;
      return asked === null ? status !== 'Deleted' : status === asked;
    });
  }

  protected filesShown(user: number, document: number): number[] {
    return [...this.document(document).files].filter((file) => this.seesFile(user, file)).sort(ascending);
  }

  /** ByUser the role's permission, or by a Write grant on the very file. */
  protected mayChangeFile(user: number, file: number, permission: Permission): boolean {
    return this.has(user, permission) || this.isGranted(user, file, 'Write');
  }

  /** ByUser the role's permission, or by a Write grant on a file with the document, if that is not hidden from them. */
  protected mayChangeDocument(user: number, document: number, permission: Permission): boolean {
    if (this.has(user, permission)) return true;
    if (this.isHidden(user, this.document(document))) return false;
    return [...this.document(document).files].some((file) => this.isGranted(user, file, 'Write'));
  }

  /** Any other call of a member counts as one, also when it is refused later. */
  protected refuseNonMembers(user: number): void {
    if (!this.members.has(user)) refuse('tenant.no-access');
    this.callers.add(user);
  }

  protected refuseUnless(isAllowed: boolean): void {
    if (!isAllowed) refuse('permission.missing');
  }

  private refuseWithoutFiles(user: number): void {
    this.refuseUnless(this.has(user, 'files.read') || this.grantsOf(user, 'Read').length > 0);
  }

  /** What is archived, in the bin, or in a closed file, is not edited. */
  protected refuseUneditable(document: ModelDocument): void {
    if (document.status === 'Deleted') refuse('document.deleted');
    if (document.status === 'Archived') refuse('document.archived');
    this.refuseInClosedFile(document);
  }

  protected refuseInClosedFile({ files }: ModelDocument): void {
    if ([...files].some((file) => this.file(file).isClosed)) refuse('file.closed');
  }

  /** The 404 for whoever does not see it. */
  protected getFile(user: number, file: number): ModelFile {
    return this.seesFile(user, file) ? this.file(file) : refuse('resource.not-found');
  }

  protected getDocument(user: number, number: number): ModelDocument {
    const document = this.document(number);
    return this.seesDocument(user, document) ? document : refuse('resource.not-found');
  }

  /** The bin is for those who put resources there or take them out. */
  protected readsDocument(user: number, number: number): boolean {
    const document = this.document(number);
    return this.seesDocument(user, document) && (document.status !== 'Deleted' || this.seesBin(user));
  }

  private readDocument(user: number, number: number): ModelDocument {
    return this.readsDocument(user, number) ? this.document(number) : refuse('resource.not-found');
  }

  /** For the list: who keeps the lists reaches everything confidential without seeing it. */
  protected reachDocument(user: number, number: number): ModelDocument {
    const document = this.document(number);
    const keeps = document.list !== null && this.has(user, 'documents.confidential.manage');
    return keeps ? document : this.getDocument(user, number);
  }

  private isIn(document: number, file: number): boolean {
    return this.document(document).files.has(file);
  }

  role(number: number): ModelRole {
    return itemAt(this.roles, number);
  }

  file(number: number): ModelFile {
    return itemAt(this.files, number);
  }

  document(number: number): ModelDocument {
    return itemAt(this.documents, number);
  }
}

function numbersOf(resources: readonly unknown[]): number[] {
  return [...resources.keys()];
}
