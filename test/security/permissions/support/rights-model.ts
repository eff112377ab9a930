import { type Permission, ALL_PERMISSIONS } from '../../../../src/common/vocabulary/permissions.js';
import { BUILT_IN, type By, type Counts, type History, type Question } from './rights-history.js';
import {
  type Answer,
  type ModelDocument,
  type ModelFile,
  type ModelGrant,
  type ModelRole,
  STARTING_DOCUMENTS,
  answered,
  ascending,
  at,
  refuse,
} from './rights-model-things.js';

/** The table of built-in roles. */
const BUILT_IN_PERMISSIONS: Record<(typeof BUILT_IN)[number], readonly Permission[]> = {
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
  readonly documents: ModelDocument[] = STARTING_DOCUMENTS.map((document) => ({
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
      ...BUILT_IN.map((key) => ({
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

  get counts(): Counts {
    const { files, documents, roles, grants } = this;
    return { file: files.length, document: documents.length, role: roles.length, grant: grants.length };
  }

  ask(question: By<Question>): Answer {
    return answered(() => this.answer(question));
  }

  protected answer(question: By<Question>): Answer {
    const { by } = question;
    if (question.kind === 'GetTenantMe') {
      if (!this.members.has(by)) refuse('resource.not-found');
      this.callers.add(by);
      return [...this.permissions(by)].sort();
    }
    this.refuseStrangers(by);
    switch (question.kind) {
      case 'ListFiles':
        this.refuseWithoutFiles(by);
        return numbersOf(this.files).filter((file) => this.seesFile(by, file));
      case 'GetFile':
        this.refuseWithoutFiles(by);
        return this.getFile(by, question.file).isClosed ? ['Closed'] : ['Open'];
      case 'RenameFile':
        this.refuseUnless(this.mayWorkOnFile(by, question.file, 'files.update'));
        this.getFile(by, question.file);
        return 'done';
      case 'ListFileDocuments':
        this.refuseUnless(this.has(by, 'documents.read'));
        this.getFile(by, question.file);
        return this.documentsSeen(by).filter((document) => this.isIn(document, question.file));
      case 'FindInFile':
        this.refuseUnless(this.has(by, 'documents.read'));
        if (!this.seesFile(by, question.file)) return [];
        return this.listed(by, null).filter((document) => this.isIn(document, question.file));
      case 'ListDocuments':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.listed(by, question.status).map((document) => [document, this.filesShown(by, document)]);
      case 'SearchDocuments':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.listed(by, null);
      case 'FindTitle':
        this.refuseUnless(this.has(by, 'documents.read'));
        return this.listed(by, null).filter((document) => document === question.document);
      case 'GetDocument': {
        this.refuseUnless(this.has(by, 'documents.read'));
        const { status, list } = this.readDocument(by, question.document);
        return { status, isConfidential: list !== null, files: this.filesShown(by, question.document) };
      }
      case 'GetDocumentContent':
        this.refuseUnless(this.has(by, 'documents.read'));
        if (!this.readDocument(by, question.document).hasContent) refuse('document.without-content');
        return 'done';
      case 'UpdateDocument':
        this.refuseUnless(this.mayWorkOnDocument(by, question.document, 'documents.update'));
        this.refuseUneditable(this.getDocument(by, question.document));
        return 'done';
      case 'ListConfidentialUsers': {
        const { document: asked } = question;
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
        return this.isHidden(by, this.document(question.document)) ? 'without summaries' : 'with summaries';
      case 'ListNotifications':
        throw new Error('Not here');
    }
  }

  permissions(person: number): ReadonlySet<Permission> {
    const role = this.members.get(person);
    return role === undefined ? new Set() : this.role(role).permissions;
  }

  has(person: number, permission: Permission): boolean {
    return this.permissions(person).has(permission);
  }

  /** Whether it is one that counts now. */
  protected isLive({ status }: ModelGrant): boolean {
    return status === 'Active';
  }

  private isFor({ subject }: ModelGrant, person: number): boolean {
    return (subject.kind === 'User' ? person : this.members.get(person)) === subject.number;
  }

  protected suffices({ level }: ModelGrant, asked: 'Read' | 'Write'): boolean {
    return asked === 'Read' || level === 'Write';
  }

  /** Grants that the person has now, of the level or more. */
  protected grantsOf(person: number, level: 'Read' | 'Write'): ModelGrant[] {
    return this.grants.filter(
      (grant) => this.isLive(grant) && this.isFor(grant, person) && this.suffices(grant, level),
    );
  }

  isGranted(person: number, file: number, level: 'Read' | 'Write'): boolean {
    const { type, isGone } = this.file(file);
    if (isGone) return false;
    return this.grantsOf(person, level).some(
      ({ target }) => target.number === (target.kind === 'File' ? file : type),
    );
  }

  seesFile(person: number, file: number): boolean {
    if (this.file(file).isGone) return false;
    return this.has(person, 'files.read') || this.isGranted(person, file, 'Read');
  }

  /** Confidential, and not to them. */
  protected isHidden(person: number, { list }: ModelDocument): boolean {
    return list !== null && !list.has(person);
  }

  /** To them it is there, be it in the bin. */
  protected seesDocument(person: number, document: ModelDocument): boolean {
    if (!this.has(person, 'documents.read')) return false;
    if (document.list !== null) return document.list.has(person);
    if (this.has(person, 'files.read') || document.creator === person) return true;
    return [...document.files].some((file) => this.seesFile(person, file));
  }

  protected seesBin(person: number): boolean {
    return this.has(person, 'documents.delete') || this.has(person, 'documents.restore');
  }

  private documentsSeen(person: number): number[] {
    return numbersOf(this.documents).filter((document) => this.seesDocument(person, this.document(document)));
  }

  /** On lists without a status, what is not in the bin. */
  private listed(person: number, asked: ModelDocument['status'] | null): number[] {
    return this.documentsSeen(person).filter((number) => {
      const { status } = this.document(number);
      if (status === 'Deleted' && !this.seesBin(person)) return false;
      return asked === null ? status !== 'Deleted' : status === asked;
    });
  }

  protected filesShown(person: number, document: number): number[] {
    return [...this.document(document).files].filter((file) => this.seesFile(person, file)).sort(ascending);
  }

  /** By the role's permission, or by a Write grant on the very file. */
  protected mayWorkOnFile(person: number, file: number, permission: Permission): boolean {
    return this.has(person, permission) || this.isGranted(person, file, 'Write');
  }

  /** By the role's permission, or by a Write grant on a file with the document, if that is not hidden from them. */
  protected mayWorkOnDocument(person: number, document: number, permission: Permission): boolean {
    if (this.has(person, permission)) return true;
    if (this.isHidden(person, this.document(document))) return false;
    return [...this.document(document).files].some((file) => this.isGranted(person, file, 'Write'));
  }

  /** Any other call of a member counts as one, also when it is refused later. */
  protected refuseStrangers(person: number): void {
    if (!this.members.has(person)) refuse('tenant.no-access');
    this.callers.add(person);
  }

  protected refuseUnless(isAllowed: boolean): void {
    if (!isAllowed) refuse('permission.missing');
  }

  private refuseWithoutFiles(person: number): void {
    this.refuseUnless(this.has(person, 'files.read') || this.grantsOf(person, 'Read').length > 0);
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
  protected getFile(person: number, file: number): ModelFile {
    return this.seesFile(person, file) ? this.file(file) : refuse('resource.not-found');
  }

  protected getDocument(person: number, number: number): ModelDocument {
    const document = this.document(number);
    return this.seesDocument(person, document) ? document : refuse('resource.not-found');
  }

  /** The bin is for those who put things there or take them out. */
  protected readsDocument(person: number, number: number): boolean {
    const document = this.document(number);
    return this.seesDocument(person, document) && (document.status !== 'Deleted' || this.seesBin(person));
  }

  private readDocument(person: number, number: number): ModelDocument {
    return this.readsDocument(person, number) ? this.document(number) : refuse('resource.not-found');
  }

  /** For the list: who keeps the lists reaches everything confidential without seeing it. */
  protected reachDocument(person: number, number: number): ModelDocument {
    const document = this.document(number);
    const keeps = document.list !== null && this.has(person, 'documents.confidential.manage');
    return keeps ? document : this.getDocument(person, number);
  }

  private isIn(document: number, file: number): boolean {
    return this.document(document).files.has(file);
  }

  role(number: number): ModelRole {
    return at(this.roles, number);
  }

  file(number: number): ModelFile {
    return at(this.files, number);
  }

  document(number: number): ModelDocument {
    return at(this.documents, number);
  }
}

function numbersOf(things: readonly unknown[]): number[] {
  return [...things.keys()];
}
