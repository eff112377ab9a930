import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { type Action, type ByUser, USER_COUNT } from './rights-history.js';
import { type ModelDocument, type ModelGrant } from './rights-model-types.js';
import { RightsModelWrites } from './rights-model-writes.js';

/**
 * Mutants of the model, each with one error that the service could have. Histories that do not detect a mutant would
 * not detect the same error in the service.
 */
export const MUTANTS: Readonly<Record<string, typeof RightsModelWrites>> = {
  'a grant stays valid after its expiry': class extends RightsModelWrites {
    protected override isLive({ status }: ModelGrant): boolean {
      return status !== 'Revoked';
    }
  },

  'a grant stays valid after it was revoked': class extends RightsModelWrites {
    protected override isLive({ status }: ModelGrant): boolean {
      return status !== 'Expired';
    }
  },

  'a Read grant allows changes': class extends RightsModelWrites {
    protected override suffices(): boolean {
      return true;
    }
  },

  'a grant to a role has no effect': class extends RightsModelWrites {
    protected override grantsOf(user: number, level: 'Read' | 'Write'): ModelGrant[] {
      return super.grantsOf(user, level).filter(({ subject }) => subject.kind === 'User');
    }
  },

  'a grant on a file type has no effect': class extends RightsModelWrites {
    override isGranted(user: number, file: number, level: 'Read' | 'Write'): boolean {
      const isOfFile = ({ target }: ModelGrant) => target.kind === 'File' && target.number === file;
      return super.isGranted(user, file, level) && this.grantsOf(user, level).some(isOfFile);
    }
  },

  'files.read shows confidential documents': class extends RightsModelWrites {
    protected override isHidden(user: number, document: ModelDocument): boolean {
      return super.isHidden(user, document) && !this.has(user, 'files.read');
    }
  },

  'documents.confidential.manage shows confidential documents': class extends RightsModelWrites {
    protected override isHidden(user: number, document: ModelDocument): boolean {
      return super.isHidden(user, document) && !this.has(user, 'documents.confidential.manage');
    }
  },

  'the creator of a confidential document always sees it': class extends RightsModelWrites {
    protected override isHidden(user: number, document: ModelDocument): boolean {
      return super.isHidden(user, document) && document.creator !== user;
    }
  },

  'a listed user sees the document only in visible files': class extends RightsModelWrites {
    protected override seesDocument(user: number, document: ModelDocument): boolean {
      if (!super.seesDocument(user, document)) return false;
      if (document.list === null || this.has(user, 'files.read')) return true;
      return document.creator === user || [...document.files].some((file) => this.seesFile(user, file));
    }
  },

  'a listed user needs no documents.read': class extends RightsModelWrites {
    override has(user: number, permission: Permission): boolean {
      const isListed = () => this.documents.some(({ list }) => list?.has(user) === true);
      return super.has(user, permission) || (permission === 'documents.read' && isListed());
    }
  },

  'a listed user can change the document': class extends RightsModelWrites {
    protected override mayChangeDocument(user: number, document: number, permission: Permission): boolean {
      const isListed = this.document(document).list?.has(user) === true;
      return isListed || super.mayChangeDocument(user, document, permission);
    }
  },

  'creators see their documents only in visible files': class extends RightsModelWrites {
    protected override seesDocument(user: number, document: ModelDocument): boolean {
      const isInSight = [...document.files].some((file) => this.seesFile(user, file));
      return super.seesDocument(user, document) && (isInSight || this.has(user, 'files.read'));
    }
  },

  'all users see the bin': class extends RightsModelWrites {
    protected override seesBin(): boolean {
      return true;
    }
  },

  'a document shows files that the user cannot see': class extends RightsModelWrites {
    protected override filesShown(_: number, document: number): number[] {
      return [...this.document(document).files].sort((one, other) => one - other);
    }
  },

  'a Write grant on a file reveals confidential documents in it': class extends RightsModelWrites {
    protected override mayChangeDocument(user: number, document: number, permission: Permission): boolean {
      const { files } = this.document(document);
      const isGranted = [...files].some((file) => this.isGranted(user, file, 'Write'));
      return isGranted || super.mayChangeDocument(user, document, permission);
    }
  },

  'notifications show resources that the user can no longer see': class extends RightsModelWrites {
    protected override isWithheld(): boolean {
      return false;
    }
  },

  'a closed file does not protect its documents': class extends RightsModelWrites {
    protected override refuseInClosedFile(): void {}
  },

  'grants and list entries survive the end of a membership': class extends RightsModelWrites {
    protected override endMembership(): void {}
  },

  'users can give permissions that they lack': class extends RightsModelWrites {
    protected override refuseEscalation(): void {}
  },

  'the last administrator can be removed': class extends RightsModelWrites {
    protected override refuseWithoutAdministrator(): void {}
  },

  'cached rights are used for one action too long': class extends RightsModelWrites {
    private cached: readonly ReadonlySet<Permission>[] = [];

    override perform(action: ByUser<Action>): string {
      this.cached = [];
      const before = [...Array(USER_COUNT).keys()].map((user) => this.permissions(user));
      const outcome = super.perform(action);
      this.cached = before;
      return outcome;
    }

    override permissions(user: number): ReadonlySet<Permission> {
      return this.cached[user] ?? super.permissions(user);
    }
  },
};
