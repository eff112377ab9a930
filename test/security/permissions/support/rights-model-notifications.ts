import { type ByUser, type Query } from './rights-history.js';
import { RightsModelAccess } from './rights-model-access.js';
import { type QueryResult, type ModelGrant, type ModelNotification } from './rights-model-types.js';

type About = Omit<ModelNotification, 'to' | 'type'>;

/** Notifications of users about actions of others. A user sees one only while they see the resources in it. */
export class RightsModelNotifications extends RightsModelAccess {
  private readonly notifications: ModelNotification[] = [];

  protected override evaluate(query: ByUser<Query>): QueryResult {
    const { by } = query;
    if (query.kind !== 'ListNotifications') return super.evaluate(query);
    this.refuseNonMembers(by);
    return this.notifications
      .filter((notification) => notification.to === by && !this.isWithheld(notification))
      .map(notificationText)
      .sort();
  }

  /** Notifies all given users except the one who acted. */
  protected notify(by: number, to: Iterable<number>, type: string, about: About = {}): void {
    for (const user of to) {
      if (user !== by) this.notifications.push({ to: user, type, ...about });
    }
  }

  protected notifyOfGrant(by: number, type: string, { subject, target, level }: ModelGrant): void {
    const isSubject = ([user, role]: [number, number]) =>
      (subject.kind === 'User' ? user : role) === subject.number;
    const to = [...this.members].filter(isSubject).map(([user]) => user);
    this.notify(by, to, type, { target: `${level} ${target.kind} ${target.number}`, grantTarget: target });
  }

  protected isWithheld({ to, type, document, file, grantTarget }: ModelNotification): boolean {
    if (type === 'AccessRevoked' || type === 'ConfidentialAccessRevoked') return false;
    if (grantTarget?.kind === 'File') return !this.seesFile(to, grantTarget.number);
    if (grantTarget) return !this.seesType(to, grantTarget.number);
    if (document !== undefined && !this.readsDocument(to, document)) return true;
    return file !== undefined && !this.seesFile(to, file);
  }

  private seesType(user: number, type: number): boolean {
    if (this.has(user, 'fileTypes.read') || this.has(user, 'files.read')) return true;
    return this.grantsOf(user, 'Read').some(
      ({ target }) => target.kind === 'FileType' && target.number === type,
    );
  }
}

/** The notification as one text, for comparison with the service's. */
function notificationText({ type, document, file, target, role }: ModelNotification): string {
  return [type, document, file, target, role].map((part) => String(part ?? '-')).join(' ');
}
