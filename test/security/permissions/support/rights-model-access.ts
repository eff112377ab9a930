import { type AccessQuery, type ByUser, type Query } from './rights-history.js';
import { type QueryResult, ascending, refuse } from './rights-model-types.js';
import { RightsModel } from './rights-model.js';

/** The answers about access. Who can read and write is what the other queries of the model decide by. */
export class RightsModelAccess extends RightsModel {
  protected override evaluate(query: ByUser<Query>): QueryResult {
    switch (query.kind) {
      case 'ListFileAccess':
      case 'ListDocumentAccess':
        this.refuseUnlessMayAsk(query);
        return [...this.members.keys()]
          .filter((user) => this.reads(user, query))
          .sort(ascending)
          .map((user) => ({
            ...{ user, canWrite: this.writes(user, query), reasons: this.reasons(user, query) },
          }));
      case 'GetMemberAccess': {
        this.refuseUnlessMayAsk(query);
        const { user } = query;
        if (!this.members.has(user)) refuse('resource.not-found');
        const canRead = this.reads(user, query);
        return {
          ...{ canRead, canWrite: canRead && this.writes(user, query), missing: this.missing(user, query) },
          reasons: canRead ? this.reasons(user, query) : [],
        };
      }
      default:
        return super.evaluate(query);
    }
  }

  private refuseUnlessMayAsk(query: ByUser<AccessQuery>): void {
    const { by } = query;
    this.refuseNonMembers(by);
    this.refuseUnless(this.has(by, 'accessGrants.read') && this.has(by, 'members.read'));
    const isOpen =
      'file' in query ? !this.file(query.file).isGone : this.document(query.document).list === null;
    if (!this.reads(by, query) && !(isOpen && this.has(by, 'auditLog.read'))) refuse('resource.not-found');
  }

  private reads(user: number, query: AccessQuery): boolean {
    return 'file' in query ? this.seesFile(user, query.file) : this.readsDocument(user, query.document);
  }

  private writes(user: number, query: AccessQuery): boolean {
    return 'file' in query
      ? this.mayChangeFile(user, query.file, 'files.update')
      : this.mayChangeDocument(user, query.document, 'documents.update');
  }

  private missing(user: number, query: AccessQuery): string[] {
    if ('file' in query) return this.seesFile(user, query.file) ? [] : ['NoGrant'];
    const document = this.document(query.document);
    const { list, files, creator, status } = document;
    const isGranted = [...files].some((file) => this.isGranted(user, file, 'Read'));
    const isReached = list !== null || this.has(user, 'files.read') || creator === user || isGranted;
    return [
      ...(this.has(user, 'documents.read') ? [] : ['NotPermitted']),
      ...(isReached ? [] : ['NoGrant']),
      ...(this.isHidden(user, document) ? ['NotOnConfidentialityList'] : []),
      ...(status === 'Deleted' && !this.seesBin(user) ? ['InBin'] : []),
    ];
  }

  /** As text: kind, role, grant, file. */
  private reasons(user: number, query: ByUser<AccessQuery>): QueryResult {
    const { list, creator, files } =
      'file' in query ? { list: null, creator: null, files: [query.file] } : this.document(query.document);
    if (list !== null) return ['ConfidentialityList - - -'];
    const filesById = [...files].sort(ascending);
    const grants = this.grantsOf(user, 'Read').flatMap((grant) => {
      const { subject, target } = grant;
      const covered = filesById.filter(
        (file) => target.number === (target.kind === 'File' ? file : this.file(file).type),
      );
      const shown = covered.find((file) => this.seesFile(query.by, file)) ?? '-';
      const role = subject.kind === 'Role' ? subject.number : '-';
      const number = this.grants.indexOf(grant);
      return covered.length === 0 ? [] : [`GrantOn${target.kind} ${role} ${number} ${shown}`];
    });
    const reasons = [
      ...(this.has(user, 'files.read') ? [`Role ${this.members.get(user)} - -`] : []),
      ...(creator === user ? ['Creator - - -'] : []),
      ...grants,
    ];
    return reasons.length > 10 ? 'many' : reasons.sort();
  }
}
