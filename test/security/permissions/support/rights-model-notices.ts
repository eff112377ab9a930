import { type By, type Question } from './rights-history.js';
import { RightsModel } from './rights-model.js';
import { type Answer, type ModelGrant, type ModelNotice } from './rights-model-things.js';

type About = Omit<ModelNotice, 'to' | 'type'>;

/** What people are told of what others do, as far as they see what it is about when they look. */
export class RightsModelNotices extends RightsModel {
  private readonly notices: ModelNotice[] = [];

  protected override answer(question: By<Question>): Answer {
    const { by } = question;
    if (question.kind !== 'ListNotifications') return super.answer(question);
    this.refuseStrangers(by);
    return this.notices
      .filter((notice) => notice.to === by && !this.isWithheld(notice))
      .map(wording)
      .sort();
  }

  /** Nobody is told of what they did themselves. */
  protected tell(by: number, to: Iterable<number>, type: string, about: About = {}): void {
    for (const person of to) {
      if (person !== by) this.notices.push({ to: person, type, ...about });
    }
  }

  protected tellOfGrant(by: number, type: string, { subject, target, level }: ModelGrant): void {
    const isSubject = ([person, role]: [number, number]) =>
      (subject.kind === 'User' ? person : role) === subject.number;
    const to = [...this.members].filter(isSubject).map(([person]) => person);
    this.tell(by, to, type, { target: `${level} ${target.kind} ${target.number}`, grantTarget: target });
  }

  protected isWithheld({ to, type, document, file, grantTarget }: ModelNotice): boolean {
    if (type === 'AccessRevoked' || type === 'ConfidentialAccessRevoked') return false;
    if (grantTarget?.kind === 'File') return !this.seesFile(to, grantTarget.number);
    if (grantTarget) return !this.seesType(to, grantTarget.number);
    if (document !== undefined && !this.readsDocument(to, document)) return true;
    return file !== undefined && !this.seesFile(to, file);
  }

  private seesType(person: number, type: number): boolean {
    if (this.has(person, 'fileTypes.read') || this.has(person, 'files.read')) return true;
    return this.grantsOf(person, 'Read').some(
      ({ target }) => target.kind === 'FileType' && target.number === type,
    );
  }
}

/** As one word, to be held against another one's. */
function wording({ type, document, file, target, role }: ModelNotice): string {
  return [type, document, file, target, role].map((part) => String(part ?? '-')).join(' ');
}
