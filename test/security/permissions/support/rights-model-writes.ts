import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { type Action, type ByUser, type GrantRequest } from './rights-history.js';
import { RightsModelNotifications } from './rights-model-notifications.js';
import { type ModelGrant, resultOf, itemAt, refuse } from './rights-model-types.js';

/** The permissions that a caller needs to create a grant of the level. */
const PERMISSIONS_OF_LEVEL: Record<GrantRequest['level'], readonly Permission[]> = {
  Read: ['files.read'],
  Write: ['files.read', 'files.update', 'documents.create', 'documents.update', 'documents.file'],
};
const ADMINISTRATOR_PERMISSIONS: readonly Permission[] = ['roles.manage', 'members.manage'];

/** The member of the union `Action` that has the kind. */
type Having<A extends Action, K> = A extends Action ? (K extends A['kind'] ? A : never) : never;
type Of<K extends Action['kind']> = ByUser<Having<Action, K>>;

/** The actions: first the checks, in the order in which the service makes them, then the change. */
export class RightsModelWrites extends RightsModelNotifications {
  /** A copy for predictions; null when it no longer equals this model. */
  private copy: RightsModelWrites | null = null;

  /** Returns `done`, or the code of the problem. A refused action changes nothing. */
  perform(action: ByUser<Action>): string {
    this.copy = null;
    return resultOf(() => {
      if (action.kind === 'TimePasses') this.passTime(action);
      else if (action.kind !== 'Sweep') this.carryOut(action);
      return 'done';
    }) as string;
  }

  /** The result that {@link perform} would return, without changing this model; `nothing` when the action has no effect. */
  predictOutcome(action: ByUser<Action>): string {
    if (action.kind === 'TimePasses') {
      const { hasExpiry, status } = itemAt(this.grants, action.grant);
      return hasExpiry && status === 'Active' ? 'done' : 'nothing';
    }
    this.copy ??= Object.assign(
      Object.create(Object.getPrototypeOf(this) as object) as RightsModelWrites,
      structuredClone({ ...this }),
    );
    const outcome = this.copy.perform(action);
    if (outcome === 'done') this.copy = null;
    return outcome;
  }

  private carryOut(action: Exclude<ByUser<Action>, { kind: 'TimePasses' | 'Sweep' }>): void {
    const { by } = action;
    this.refuseNonMembers(by);
    switch (action.kind) {
      case 'CreateFile':
        this.refuseUnless(this.has(by, 'files.create'));
        this.files.push({ creator: by, type: action.type, isClosed: false, isGone: false });
        return;
      case 'RenameFile':
        this.refuseUnless(this.mayChangeFile(by, action.file, 'files.update'));
        this.getFile(by, action.file);
        return;
      case 'CloseFile':
      case 'ReopenFile':
        return this.closeOrReopen(action);
      case 'DeleteFile':
        return this.deleteFile(action);
      case 'CreateDocument':
        return this.createDocument(action);
      case 'UpdateDocument':
        this.refuseUnless(this.mayChangeDocument(by, action.document, 'documents.update'));
        return this.refuseUneditable(this.getDocument(by, action.document));
      case 'FileDocument':
      case 'UnfileDocument':
        return this.fileOrUnfile(action);
      case 'ArchiveDocument':
      case 'UnarchiveDocument':
        return this.archiveOrUnarchive(action);
      case 'DeleteDocument':
        return this.deleteDocument(action);
      case 'RestoreDocument':
        return this.restoreDocument(action);
      case 'ChangeConfidentiality':
        return this.changeConfidentiality(action);
      case 'AddConfidentialUser':
      case 'RemoveConfidentialUser':
        return this.editList(action);
      case 'CreateAccessGrant':
        return this.grant(action);
      case 'RevokeAccess':
        return this.revoke(action);
      case 'CreateRole':
        this.refuseUnless(this.has(by, 'roles.manage'));
        this.refuseEscalation(by, action.permissions);
        this.roles.push({ permissions: new Set(action.permissions), isBuiltIn: false, isGone: false });
        return;
      case 'UpdateRole':
        return this.updateRole(action);
      case 'DeleteRole':
        return this.deleteRole(action);
      case 'AddMember':
        return this.addMember(action);
      case 'ChangeMemberRole':
        return this.changeMemberRole(action);
      case 'RemoveMember':
        return this.removeMember(action);
    }
  }

  private passTime({ grant: number }: Of<'TimePasses'>): void {
    const grant = itemAt(this.grants, number);
    if (grant.hasExpiry && grant.status === 'Active') grant.status = 'Expired';
  }

  private closeOrReopen({ kind, by, file: number }: Of<'CloseFile' | 'ReopenFile'>): void {
    const closes = kind === 'CloseFile';
    this.refuseUnless(this.has(by, closes ? 'files.close' : 'files.reopen'));
    const file = this.getFile(by, number);
    if (file.isClosed === closes) refuse(closes ? 'file.already-closed' : 'file.already-open');
    file.isClosed = closes;
    this.notify(by, [file.creator], closes ? 'FileClosed' : 'FileReopened', { file: number });
  }

  private deleteFile({ by, file: number }: Of<'DeleteFile'>): void {
    this.refuseUnless(this.has(by, 'files.delete'));
    const file = this.getFile(by, number);
    if (file.isClosed || this.documents.some(({ files }) => files.has(number))) refuse('file.not-empty');
    file.isGone = true;
    const ended = this.endGrants(({ target }) => target.kind === 'File' && target.number === number);
    for (const grant of ended) this.notifyOfGrant(by, 'AccessRevoked', grant);
  }

  private createDocument({ by, files, confidential }: Of<'CreateDocument'>): void {
    this.refuseUnless(this.has(by, 'documents.create') || this.grantsOf(by, 'Write').length > 0);
    if (files.some((file) => !this.seesFile(by, file))) refuse('request.invalid');
    const covered = files.filter((file) => this.isGranted(by, file, 'Write'));
    const mayCreate = files.length > 0 && covered.length === files.length;
    this.refuseUnless(mayCreate || this.has(by, 'documents.create'));
    const mayHide = this.has(by, 'documents.update') || this.has(by, 'documents.confidential.manage');
    this.refuseUnless(!confidential || mayHide || covered.length > 0);
    if (files.some((file) => this.file(file).isClosed)) refuse('file.closed');
    this.documents.push({
      ...{ creator: by, hasContent: false, status: 'Active', before: 'Active' },
      files: new Set(files),
      list: confidential ? new Set([by]) : null,
    });
  }

  private fileOrUnfile({ kind, by, document, file: number }: Of<'FileDocument' | 'UnfileDocument'>): void {
    this.refuseUnless(this.mayChangeFile(by, number, 'documents.file'));
    const { files, status, creator } = this.getDocument(by, document);
    const file = this.getFile(by, number);
    if (kind === 'UnfileDocument' && !files.has(number)) refuse('resource.not-found');
    if (status === 'Deleted') refuse('document.deleted');
    if (file.isClosed) refuse('file.closed');
    const before = files.size;
    if (kind === 'FileDocument') files.add(number);
    else files.delete(number);
    const type = kind === 'FileDocument' ? 'DocumentFiled' : 'DocumentUnfiled';
    if (files.size !== before) this.notify(by, [creator], type, { document, file: number });
  }

  private archiveOrUnarchive({
    kind,
    by,
    document: number,
  }: Of<'ArchiveDocument' | 'UnarchiveDocument'>): void {
    this.refuseUnless(this.has(by, 'documents.archive'));
    const document = this.getDocument(by, number);
    if (document.status === 'Deleted') refuse('document.deleted');
    const archives = kind === 'ArchiveDocument';
    if (archives && document.status === 'Archived') refuse('document.archived');
    if (!archives && document.status === 'Active') refuse('document.not-archived');
    this.refuseInClosedFile(document);
    document.status = archives ? 'Archived' : 'Active';
  }

  private deleteDocument({ by, document: number }: Of<'DeleteDocument'>): void {
    this.refuseUnless(this.has(by, 'documents.delete'));
    const document = this.getDocument(by, number);
    if (document.status === 'Deleted') refuse('document.deleted');
    this.refuseInClosedFile(document);
    document.before = document.status;
    document.status = 'Deleted';
  }

  private restoreDocument({ by, document: number }: Of<'RestoreDocument'>): void {
    this.refuseUnless(this.has(by, 'documents.restore'));
    const document = this.getDocument(by, number);
    if (document.status !== 'Deleted') refuse('document.not-deleted');
    document.status = document.before;
  }

  private changeConfidentiality({ by, document: number, confidential }: Of<'ChangeConfidentiality'>): void {
    const { creator } = this.document(number);
    const isCreators =
      creator === by &&
      !this.isHidden(by, this.document(number)) &&
      this.mayChangeDocument(by, number, 'documents.update');
    this.refuseUnless(isCreators || this.has(by, 'documents.confidential.manage'));
    const document = this.getDocument(by, number);
    if (document.status === 'Deleted') refuse('document.deleted');
    if ((document.list !== null) === confidential) return;
    document.list = confidential ? new Set([this.members.has(creator) ? creator : by]) : null;
  }

  private editList({
    kind,
    by,
    document: number,
    user,
  }: Of<'AddConfidentialUser' | 'RemoveConfidentialUser'>): void {
    const adds = kind === 'AddConfidentialUser';
    const isListed =
      this.document(number).list?.has(by) === true && this.mayChangeDocument(by, number, 'documents.update');
    this.refuseUnless((adds && isListed) || this.has(by, 'documents.confidential.manage'));
    const { list, status } = this.reachDocument(by, number);
    if (!this.members.has(user)) refuse('resource.not-found');
    if (!adds && !list?.has(user)) refuse('resource.not-found');
    if (status === 'Deleted') refuse('document.deleted');
    if (list === null) refuse('document.not-confidential');
    if (adds && list.has(user)) return;
    if (!adds && list.size === 1) refuse('confidentiality.last-user');
    const about = { document: number };
    if (!adds) this.notify(by, [user], 'ConfidentialAccessRevoked', about);
    else if (user !== by) this.notify(by, [user], 'ConfidentialAccessGranted', about);
    else this.notify(by, list, 'ConfidentialUserAdded', about);
    if (adds) list.add(user);
    else list.delete(user);
  }

  private grant({ by, ...request }: Of<'CreateAccessGrant'>): void {
    const { to, on, level, hasExpiry } = request;
    this.refuseUnless(this.has(by, 'accessGrants.manage'));
    const isThere = to === 'User' ? this.members.has(request.user) : !this.role(request.role).isGone;
    if (!isThere || (on === 'File' && !this.seesFile(by, request.file))) refuse('request.invalid');
    this.refuseEscalation(by, PERMISSIONS_OF_LEVEL[level]);
    const grant: ModelGrant = {
      subject: { kind: to, number: to === 'User' ? request.user : request.role },
      target: { kind: on, number: on === 'File' ? request.file : request.type },
      ...{ level, hasExpiry, status: 'Active' },
    };
    this.grants.push(grant);
    this.notifyOfGrant(by, 'AccessGranted', grant);
  }

  private revoke({ by, grant: number }: Of<'RevokeAccess'>): void {
    this.refuseUnless(this.has(by, 'accessGrants.manage'));
    const grant = itemAt(this.grants, number);
    if (grant.status !== 'Active') refuse('access-grant.ended');
    grant.status = 'Revoked';
    this.notifyOfGrant(by, 'AccessRevoked', grant);
  }

  private updateRole({ by, role: number, permissions }: Of<'UpdateRole'>): void {
    this.refuseUnless(this.has(by, 'roles.manage'));
    const role = this.getRole(number);
    this.refuseEscalation(by, role.permissions, permissions);
    if (role.isBuiltIn) refuse('role.built-in');
    const former = role.permissions;
    role.permissions = new Set(permissions);
    this.refuseWithoutAdministrator(() => (role.permissions = former));
  }

  private deleteRole({ by, role: number }: Of<'DeleteRole'>): void {
    this.refuseUnless(this.has(by, 'roles.manage'));
    const role = this.getRole(number);
    this.refuseEscalation(by, role.permissions);
    if (role.isBuiltIn) refuse('role.built-in');
    if ([...this.members.values()].includes(number)) refuse('role.in-use');
    role.isGone = true;
    this.endGrants(({ subject }) => subject.kind === 'Role' && subject.number === number);
  }

  private addMember({ by, user, role: number }: Of<'AddMember'>): void {
    this.refuseUnless(this.has(by, 'members.manage'));
    const role = this.role(number);
    if (role.isGone) refuse('request.invalid');
    this.refuseEscalation(by, role.permissions);
    if (this.members.has(user)) refuse('member.exists');
    this.members.set(user, number);
    this.callers.delete(user);
  }

  private changeMemberRole({ by, user, role: number }: Of<'ChangeMemberRole'>): void {
    this.refuseUnless(this.has(by, 'members.manage'));
    const former = this.memberRole(user);
    const role = this.role(number);
    if (role.isGone) refuse('request.invalid');
    this.refuseEscalation(by, this.role(former).permissions, role.permissions);
    this.members.set(user, number);
    this.refuseWithoutAdministrator(() => this.members.set(user, former));
    if (former !== number) this.notify(by, [user], 'RoleChanged', { role: number });
  }

  private removeMember({ by, user }: Of<'RemoveMember'>): void {
    this.refuseUnless(this.has(by, 'members.manage'));
    const former = this.memberRole(user);
    this.refuseEscalation(by, this.role(former).permissions);
    this.members.delete(user);
    this.refuseWithoutAdministrator(() => this.members.set(user, former));
    this.endMembership(user);
  }

  /** Ends the user's grants and list entries. A new membership does not restore them. */
  protected endMembership(user: number): void {
    this.endGrants(({ subject }) => subject.kind === 'User' && subject.number === user);
    for (const { list } of this.documents) list?.delete(user);
  }

  private endGrants(which: (grant: ModelGrant) => boolean): ModelGrant[] {
    const ended = this.grants.filter((grant) => grant.status === 'Active' && which(grant));
    for (const grant of ended) grant.status = 'Revoked';
    return ended;
  }

  private getRole(number: number) {
    const role = this.role(number);
    return role.isGone ? refuse('resource.not-found') : role;
  }

  private memberRole(user: number): number {
    return this.members.get(user) ?? refuse('resource.not-found');
  }

  /** Users cannot give, change or take away permissions that their own role lacks. */
  protected refuseEscalation(user: number, ...permissions: readonly Iterable<Permission>[]): void {
    const isHeld = permissions.every((list) => [...list].every((one) => this.has(user, one)));
    if (!isHeld) refuse('permission.escalation');
  }

  protected refuseWithoutAdministrator(undo: () => void): void {
    const isLeft = [...this.members.keys()].some(
      (user) =>
        this.callers.has(user) && ADMINISTRATOR_PERMISSIONS.every((permission) => this.has(user, permission)),
    );
    if (isLeft) return;
    undo();
    refuse('member.last-administrator');
  }
}
