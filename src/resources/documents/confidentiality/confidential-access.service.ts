import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { Problem, notFound } from '../../../common/problem.js';
import { PagedReads } from '../../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { ConfidentialUsersRepository } from '../changes/confidential-users.repository.js';
import { DocumentRules } from '../changes/document-rules.js';
import { forgetWords, queueDocuments } from '../contents/word-changes.repository.js';
import { type DocumentResponse, presentDocument } from '../document-response.dto.js';
import { type DocumentView, DocumentsRepository } from '../documents.repository.js';
import {
  type ChangeConfidentialityBody,
  type ConfidentialDocumentResponse,
  type ConfidentialUserResponse,
} from './confidential-access.dto.js';
import { ConfidentialAccessRepository, type LockedDocument } from './confidential-access.repository.js';

/**
 * Confidentiality of documents and their access lists. Allowed in closed files: access to their documents can
 * still change. Audit summaries contain the title and the user name; users who are not on the access list
 * cannot read them.
 */
@Injectable()
export class ConfidentialAccessService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PagedReads,
    private readonly documents: DocumentsRepository,
    private readonly lists: ConfidentialAccessRepository,
    private readonly users: ConfidentialUsersRepository,
    private readonly rules: DocumentRules,
  ) {}

  listUsers(caller: Caller, documentId: string, query: PageQuery): Promise<Page<ConfidentialUserResponse>> {
    // A guest can add any member to a list of their own. This must not reveal e-mail addresses.
    const seesAllEmails = () => caller.has('members.read') || caller.has('documents.confidential.manage');
    return this.pages.page(caller, { operation: 'ListConfidentialUsers', filters: { documentId } }, query, {
      rows: (tx, after, limit) => this.lists.listUsers(tx, caller, documentId, after, limit),
      position: (row) => [row.addedAt, row.userId],
      present: (row) => ({
        ...row,
        email: seesAllEmails() || row.userId === caller.user.id ? row.email : null,
      }),
    });
  }

  listDocuments(caller: Caller, query: PageQuery): Promise<Page<ConfidentialDocumentResponse>> {
    return this.pages.page(caller, { operation: 'ListConfidentialDocuments' }, query, {
      rows: (tx, after, limit) => this.lists.listDocuments(tx, after, limit),
      position: (row) => [row.createdAt, row.id],
      present: (document) => document,
    });
  }

  async add(caller: Caller, documentId: string, userId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, name } = await this.lock(tx, caller, documentId, userId);
      this.rules.requireNotDeleted(document);
      if (!document.isConfidential) throw new Problem('document.not-confidential');
      const listed = await this.users.lock(tx, documentId);
      if (listed.includes(userId)) return;
      await this.users.add(tx, documentId, userId);
      recordUser(tx, 'ConfidentialUserAdded', document, { userId, name });
      const { actorName } = tx;
      if (userId !== caller.user.id) {
        tx.notify(userId, 'ConfidentialAccessGranted', { documentId, actorName });
        return;
      }
      for (const other of listed) {
        tx.notify(other, 'ConfidentialUserAdded', { documentId, userId, actorName });
      }
    });
  }

  async remove(caller: Caller, documentId: string, userId: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { document, name } = await this.lock(tx, caller, documentId, userId);
      const listed = await this.users.lock(tx, documentId);
      if (!document.isConfidential || !listed.includes(userId)) throw notFound();
      this.rules.requireNotDeleted(document);
      if (listed.length === 1) throw new Problem('confidentiality.last-user');
      await this.users.remove(tx, documentId, userId);
      recordUser(tx, 'ConfidentialUserRemoved', document, { userId, name });
      tx.notify(userId, 'ConfidentialAccessRevoked', { documentId, actorName: tx.actorName });
    });
  }

  /** Returns the document even if the caller cannot see it from now on: they could see it until now. */
  change(
    caller: Caller,
    documentId: string,
    { isConfidential }: ChangeConfidentialityBody,
  ): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, documentId);
      await tx.expectRepresentation(() => presentDocument(document));
      this.rules.requireNotDeleted(document);
      if (document.isConfidential === isConfidential) return presentDocument(document);
      await this.users.removeAll(tx, documentId);
      await this.documents.update(tx, documentId, { isConfidential });
      if (isConfidential) await forgetWords(tx, [documentId]);
      else await queueDocuments(tx, [documentId]);
      tx.record({
        action: 'ConfidentialityChanged',
        subjectId: documentId,
        summary: `${document.title}: ${isConfidential ? 'confidential' : 'not confidential'}`,
      });
      if (isConfidential) await this.createList(tx, caller, document);
      return presentDocument(await this.documents.view(tx, caller, documentId));
    });
  }

  /**
   * Starts the list with the creator; no ConfidentialUserAdded entry is written for this. If the creator has
   * left the tenant, the list starts with the caller; otherwise nobody could see the document.
   */
  private async createList(tx: WriteTransaction, caller: Caller, document: DocumentView): Promise<void> {
    const { id, createdBy } = document;
    if ((await this.lists.lockMemberOrNull(tx, createdBy)) !== null) {
      await this.users.add(tx, id, createdBy);
      return;
    }
    const name = await this.lists.lockMemberOrNull(tx, caller.user.id);
    if (name === null) throw new Problem('tenant.no-access');
    await this.users.add(tx, id, caller.user.id);
    recordUser(tx, 'ConfidentialUserAdded', document, { userId: caller.user.id, name });
  }

  /**
   * Locks the document and the membership of the user. Throws 404 if the document is not accessible or the
   * user is not a member.
   */
  private async lock(
    tx: WriteTransaction,
    caller: Caller,
    documentId: string,
    userId: string,
  ): Promise<{ document: LockedDocument; name: string }> {
    const document = await this.lists.lockDocument(tx, caller, documentId);
    const name = await this.lists.lockMemberOrNull(tx, userId);
    if (name === null) throw notFound();
    return { document, name };
  }
}

function recordUser(
  tx: WriteTransaction,
  action: 'ConfidentialUserAdded' | 'ConfidentialUserRemoved',
  { id, title }: LockedDocument,
  { userId, name }: { readonly userId: string; readonly name: string },
): void {
  tx.record({ action, subjectId: id, summary: `${title}: ${name}`, related: { userId } });
}
