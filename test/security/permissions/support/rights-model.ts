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

/** The permissions of the built-in roles, according to the specification. */
const BUILT_IN_PERMISSIONS: Record<(typeof BUILT_IN_ROLES)[number], readonly Permission[]> = {
  administrator: ALL_PERMISSIONS,
  editor: [
    ...(['files.read', 'files.create', 'files.update', 'files.close'] as const),
    ...(['documents.read', 'documents.create', 'documents.update', 'documents.file'] as const),
    ...(['documents.archive', 'documents.delete', 'fileTypes.read', 'documentTypes.read'] as const),
    ...(['tags.read', 'tags.manage', 'savedViews.manage', 'members.read', 'exports.create'] as const),
  ],
  guest: ['documents.read', 'fileTypes.read', 'documentTypes.read', 'tags.read'],
};

/**
 * A model of the rights in a tenant, as simple as the specification's supplement: sets and numbers, without database,
 * cache or pages. It uses only the list of permissions from the service. This class has the queries;
 * {@link RightsModelWrites} has the actions.
 */
export class RightsModel {
  readonly roles: ModelRole[];
  /** The role of each member. */
  readonly members = new Map<number, number>([[0, 0]]);
  /** Members who have made a request since they became members. */
  readonly callers = new Set([0]);
  /** Two files of each type; the last file is empty. */
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

  runQuery(query: ByUser<Query>): QueryResult {
    return resultOf(() => this.evaluate(query));
  }

  protected evaluate(query: ByUser<Query>): QueryResult {
    const { by } = query;
    if (query.kind === 'GetTenantMe') {
      if (!this.members.has(by)) refuse('resource.not-found');
      this.callers.add(by);
      return [...this.permissions(by)].sort();
    }
    this.refuseNonMembers(by);
    switch (query.kind) {
      case 'ListFiles':
        this.refuseWithoutFileAccess(by);
        return numbersOf(this.files).filter((file) => this.seesFile(by, file));
      case 'GetFile':
        this.refuseWithoutFileAccess(by);
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
      case 'GetDocumentText':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.readDocument(by, query.document).hasContent
          ? refuse('document.without-text')
          : refuse('document.without-content');
      case 'GetDocumentPreview':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.readDocument(by, query.document).hasContent
          ? refuse('document.without-preview')
          : refuse('document.without-content');
      case 'UpdateDocument':
        this.refuseUnless(this.mayChangeDocument(by, query.document, 'documents.update'));
        this.refuseUneditable(this.getDocument(by, query.document));
        return 'done';
      case 'ListConfidentialUsers': {
        const { document: number } = query;
        const isListed = this.document(number).list?.has(by) === true && this.has(by, 'documents.read');
        this.refuseUnless(isListed || this.has(by, 'documents.confidential.manage'));
        const document = this.reachDocument(by, number);
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
        throw new Error('RightsModelNotifications implements this query');
      case 'ListFileAccess':
      case 'ListDocumentAccess':
      case 'GetMemberAccess':
        throw new Error('RightsModelAccess implements this query');
    }
  }

  permissions(user: number): ReadonlySet<Permission> {
    const role = this.members.get(user);
    return role === undefined ? new Set() : this.role(role).permissions;
  }

  has(user: number, permission: Permission): boolean {
    return this.permissions(user).has(permission);
  }

  protected isLive({ status }: ModelGrant): boolean {
    return status === 'Active';
  }

  protected isFor({ subject }: ModelGrant, user: number): boolean {
    return (subject.kind === 'User' ? user : this.members.get(user)) === subject.number;
  }

  protected suffices({ level }: ModelGrant, needed: 'Read' | 'Write'): boolean {
    return needed === 'Read' || level === 'Write';
  }

  /** The user's valid grants of the level or a higher one. */
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

  protected isHidden(user: number, { list }: ModelDocument): boolean {
    return list !== null && !list.has(user);
  }

  /** Whether the document exists for the user, in the bin or not. */
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

  /** The documents in a list. A list without a status filter omits the bin. */
  private listed(user: number, filter: ModelDocument['status'] | null): number[] {
    return this.documentsSeen(user).filter((number) => {
      const { status } = this.document(number);
      if (status === 'Deleted' && !this.seesBin(user)) return false;
      return filter === null ? status !== 'Deleted' : status === filter;
    });
  }

  protected filesShown(user: number, document: number): number[] {
    return [...this.document(document).files].filter((file) => this.seesFile(user, file)).sort(ascending);
  }

  protected mayChangeFile(user: number, file: number, permission: Permission): boolean {
    return this.has(user, permission) || this.isGranted(user, file, 'Write');
  }

  /** The role's permission suffices, or a Write grant on one of the document's files if the document is not hidden. */
  protected mayChangeDocument(user: number, document: number, permission: Permission): boolean {
    if (this.has(user, permission)) return true;
    if (this.isHidden(user, this.document(document))) return false;
    return [...this.document(document).files].some((file) => this.isGranted(user, file, 'Write'));
  }

  /** Refuses users without membership. For members it records the request, even if that is refused later. */
  protected refuseNonMembers(user: number): void {
    if (!this.members.has(user)) refuse('tenant.no-access');
    this.callers.add(user);
  }

  protected refuseUnless(isAllowed: boolean): void {
    if (!isAllowed) refuse('permission.missing');
  }

  private refuseWithoutFileAccess(user: number): void {
    this.refuseUnless(this.has(user, 'files.read') || this.grantsOf(user, 'Read').length > 0);
  }

  /** Archived and deleted documents and those in a closed file cannot be edited. */
  protected refuseUneditable(document: ModelDocument): void {
    if (document.status === 'Deleted') refuse('document.deleted');
    if (document.status === 'Archived') refuse('document.archived');
    this.refuseInClosedFile(document);
  }

  protected refuseInClosedFile({ files }: ModelDocument): void {
    if ([...files].some((file) => this.file(file).isClosed)) refuse('file.closed');
  }

  protected getFile(user: number, file: number): ModelFile {
    return this.seesFile(user, file) ? this.file(file) : refuse('resource.not-found');
  }

  protected getDocument(user: number, number: number): ModelDocument {
    const document = this.document(number);
    return this.seesDocument(user, document) ? document : refuse('resource.not-found');
  }

  /** Deleted documents are visible only to users who may delete or restore documents. */
  protected readsDocument(user: number, number: number): boolean {
    const document = this.document(number);
    return this.seesDocument(user, document) && (document.status !== 'Deleted' || this.seesBin(user));
  }

  private readDocument(user: number, number: number): ModelDocument {
    return this.readsDocument(user, number) ? this.document(number) : refuse('resource.not-found');
  }

  /** The document for changes of its access list. Managers of access lists can address confidential documents that they cannot see. */
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
