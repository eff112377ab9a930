import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { type Action, type ByUser, USER_COUNT } from './rights-history.js';
import { type ModelDocument, type ModelGrant } from './rights-model-types.js';
import { RightsModelWrites } from './rights-model-writes.js';

/**
 * Models that err, each in one way in which a service could. Histories that cannot tell one of them from the model
 * would not find that error in the service either.
 */
export const MUTANTS: Readonly<Record<string, typeof RightsModelWrites>> = {
  'a grant goes on after its end': class extends RightsModelWrites {
    protected override isLive({ status }: ModelGrant): boolean {
      return status !== 'Revoked';
    }
  },

  'a grant goes on when it was revoked': class extends RightsModelWrites {
    protected override isLive({ status }: ModelGrant): boolean {
      return status !== 'Expired';
    }
  },

  'a Read grant is good for writing': class extends RightsModelWrites {
    protected override suffices(): boolean {
      return true;
    }
  },

  'a grant to a role reaches nobody': class extends RightsModelWrites {
    protected override grantsOf(user: number, level: 'Read' | 'Write'): ModelGrant[] {
      return super.grantsOf(user, level).filter(({ subject }) => subject.kind === 'User');
    }
  },

  'a grant on a type reaches no file': class extends RightsModelWrites {
    override isGranted(user: number, file: number, level: 'Read' | 'Write'): boolean {
      const isOfFile = ({ target }: ModelGrant) => target.kind === 'File' && target.number === file;
      return super.isGranted(user, file, level) && this.grantsOf(user, level).some(isOfFile);
    }
  },

  'files.read opens what is confidential': class extends RightsModelWrites {
    protected override isHidden(user: number, document: ModelDocument): boolean {
      return super.isHidden(user, document) && !this.has(user, 'files.read');
    }
  },

  'who keeps the lists reads what is confidential': class extends RightsModelWrites {
    protected override isHidden(user: number, document: ModelDocument): boolean {
      return super.isHidden(user, document) && !this.has(user, 'documents.confidential.manage');
    }
  },

  'who made something confidential always sees it': class extends RightsModelWrites {
    protected override isHidden(user: number, document: ModelDocument): boolean {
      return super.isHidden(user, document) && document.creator !== user;
    }
  },

  'a place on a list shows nothing outside of visible files': class extends RightsModelWrites {
    protected override seesDocument(user: number, document: ModelDocument): boolean {
      if (!super.seesDocument(user, document)) return false;
      if (document.list === null || this.has(user, 'files.read')) return true;
      return document.creator === user || [...document.files].some((file) => this.seesFile(user, file));
    }
  },

  'a place on a list replaces documents.read': class extends RightsModelWrites {
    override has(user: number, permission: Permission): boolean {
      const isListed = () => this.documents.some(({ list }) => list?.has(user) === true);
      return super.has(user, permission) || (permission === 'documents.read' && isListed());
    }
  },

  'a place on a list allows changes': class extends RightsModelWrites {
    protected override mayChangeDocument(user: number, document: number, permission: Permission): boolean {
      const isListed = this.document(document).list?.has(user) === true;
      return isListed || super.mayChangeDocument(user, document, permission);
    }
  },

  'one’s own documents are lost with their file': class extends RightsModelWrites {
    protected override seesDocument(user: number, document: ModelDocument): boolean {
      const isInSight = [...document.files].some((file) => this.seesFile(user, file));
      return super.seesDocument(user, document) && (isInSight || this.has(user, 'files.read'));
    }
  },

  'everybody sees the bin': class extends RightsModelWrites {
    protected override seesBin(): boolean {
      return true;
    }
  },

  'files of a document are named to those who do not see them': class extends RightsModelWrites {
    protected override filesShown(_: number, document: number): number[] {
      return [...this.document(document).files].sort((one, other) => one - other);
    }
  },

  'a Write grant on a file tells of what is confidential in it': class extends RightsModelWrites {
    protected override mayChangeDocument(user: number, document: number, permission: Permission): boolean {
      const { files } = this.document(document);
      const isGranted = [...files].some((file) => this.isGranted(user, file, 'Write'));
      return isGranted || super.mayChangeDocument(user, document, permission);
    }
  },

  'what is told goes on naming what is out of sight': class extends RightsModelWrites {
    protected override isWithheld(): boolean {
      return false;
    }
  },

  'closing a file protects no document': class extends RightsModelWrites {
    protected override refuseInClosedFile(): void {}
  },

  'grants and places outlast a membership': class extends RightsModelWrites {
    protected override endMembership(): void {}
  },

  'everybody gives what they like': class extends RightsModelWrites {
    protected override refuseEscalation(): void {}
  },

  'the last administrator may go': class extends RightsModelWrites {
    protected override refuseWithoutAdministrator(): void {}
  },

  'rights are remembered for one change too long': class extends RightsModelWrites {
    private remembered: readonly ReadonlySet<Permission>[] = [];

    override perform(action: ByUser<Action>): string {
      this.remembered = [];
      const before = [...Array(USER_COUNT).keys()].map((user) => this.permissions(user));
      const told = super.perform(action);
      this.remembered = before;
      return told;
    }

    override permissions(user: number): ReadonlySet<Permission> {
      return this.remembered[user] ?? super.permissions(user);
    }
  },
};
