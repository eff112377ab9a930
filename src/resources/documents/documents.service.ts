import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type FieldErrors, Problem, invalid, orNotFound } from '../../common/problem.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type UploadedContent } from '../../platform/http/body/multipart-upload.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { ConfidentialUsersRepository } from './changes/confidential-users.repository.js';
import { DocumentChanges, recordFiling, recordTagging } from './changes/document-changes.js';
import { type StateAction } from './changes/document-changes.repository.js';
import {
  DocumentLinksRepository,
  type TargetFile,
  type TargetTag,
  addNotFoundErrors,
} from './changes/document-links.repository.js';
import { DocumentRules } from './changes/document-rules.js';
import { DocumentContents } from './contents/document-contents.js';
import { DocumentTextsRepository } from './contents/document-texts.repository.js';
import { afterStateChange } from './contents/word-changes.repository.js';
import {
  type DocumentResponse,
  type UploadedDocumentResponse,
  presentDocument,
  presentUploaded,
} from './document-response.dto.js';
import { type CreateDocumentBody, type UpdateDocumentBody } from './documents.dto.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentValues } from './values/document-values.js';
import { DocumentValuesRepository } from './values/document-values.repository.js';
import { textOfValues } from './values/values-text.js';

@Injectable()
export class DocumentsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentsRepository,
    private readonly links: DocumentLinksRepository,
    private readonly confidentialUsers: ConfidentialUsersRepository,
    private readonly contents: DocumentContents,
    private readonly values: DocumentValues,
    private readonly storedValues: DocumentValuesRepository,
    private readonly texts: DocumentTextsRepository,
    private readonly rules: DocumentRules,
    private readonly changes: DocumentChanges,
  ) {}

  get(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.uow.read(caller, async (tx) => {
      const document = orNotFound(await this.documents.findReadable(tx, caller, id));
      return presentDocument(document);
    });
  }

  /** @param upload the content, if one was sent; the code that received it also discards it */
  create(
    caller: Caller,
    body: CreateDocumentBody,
    upload: UploadedContent | null,
  ): Promise<UploadedDocumentResponse> {
    const { title, documentTypeId = null, isConfidential } = body;
    const [fileIds, tagIds, fields] = [body.fileIds ?? [], body.tagIds ?? [], body.fields ?? {}];
    const refuse = (files: readonly TargetFile[]) => {
      if (
        !mayCreate(caller, fileIds, files) ||
        (isConfidential === true && !mayMakeConfidential(caller, files))
      ) {
        throw new Problem('permission.missing');
      }
    };
    const create = async (tx: WriteTransaction) => {
      const errors: FieldErrors = {};
      const typed = await this.values.accept(tx, caller, { documentTypeId, fields }, null, errors);
      const tags = await this.links.lockTags(tx, tagIds);
      const files = await this.links.lockFiles(tx, caller, fileIds);
      addNotFoundErrors('fileIds', fileIds, files, errors);
      addNotFoundErrors('tagIds', tagIds, tags, errors);
      Object.assign(errors, typed.missing);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      refuse(files);
      if (files.some(({ status }) => status === 'Closed')) throw new Problem('file.closed');

      const id = newId();
      await this.documents.insert(tx, {
        id,
        title,
        documentTypeId: typed.documentTypeId,
        fields: typed.stored,
        status: 'Active',
        isConfidential: isConfidential === true,
        createdBy: caller.user.id,
      });
      await this.storedValues.insert(tx, id, typed.values);
      if (typed.values.length > 0) await this.texts.replaceValues(tx, id, textOfValues(typed.values));
      await this.links.add(tx, 'files', [id], fileIds);
      await this.links.add(tx, 'tags', [id], tagIds);
      if (isConfidential === true) await this.confidentialUsers.add(tx, id, caller.user.id);
      if (upload) await this.contents.linkUpload(tx, id, upload);
      await this.texts.indexTitle(tx, id);
      recordCreated(
        tx,
        { id, title, createdBy: caller.user.id },
        { files, tags, isConfidential: isConfidential === true },
      );
      const duplicateIds = upload
        ? await this.documents.findDuplicates(tx, caller, upload.received.sha256, id)
        : [];
      return presentUploaded(await this.documents.view(tx, caller, id), duplicateIds);
    };
    return this.uow.write(caller, create, async (tx) =>
      refuse(await this.links.lockFiles(tx, caller, fileIds)),
    );
  }

  update(caller: Caller, id: string, body: UpdateDocumentBody): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, id);
      await tx.expectRepresentation(() => presentDocument(document));
      const { title: former } = document;
      const { title = former, documentTypeId = document.documentTypeId, fields = document.fields } = body;
      const errors: FieldErrors = {};
      const typed = await this.values.accept(
        tx,
        caller,
        { documentTypeId, fields: fields ?? {} },
        document,
        errors,
      );
      const isRetyped =
        typed.documentTypeId !== document.documentTypeId || !isDeepStrictEqual(typed.fields, document.fields);
      const isChange = isRetyped || title !== former;
      // A document without a value that became required later can stay unchanged; other changes must add the
      // value.
      if (isChange || Object.keys(errors).length > 0) Object.assign(errors, typed.missing);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      await this.rules.requireAllowed(tx, 'Edit', document);
      if (!isChange) return presentDocument(document);
      await this.documents.update(tx, id, {
        title,
        documentTypeId: typed.documentTypeId,
        fields: typed.stored,
      });
      if (isRetyped) {
        await this.storedValues.replace(tx, id, typed.values, typed.kept);
        await this.texts.replaceValues(tx, id, textOfValues(typed.values));
      }
      if (title !== former) await this.texts.indexTitle(tx, id);
      const summary = former === title ? title : `${former} → ${title}`;
      tx.record({ action: 'DocumentUpdated', subjectId: id, summary });
      return presentDocument(await this.documents.view(tx, caller, id));
    });
  }

  /**
   * Active ↔ Archived; Active or Archived → Deleted and back to the previous state. The document keeps its links and
   * values in the bin.
   */
  changeState(caller: Caller, id: string, action: StateAction): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const document = await this.documents.lockVisible(tx, caller, id);
      await tx.expectRepresentation(() => presentDocument(document));
      await this.changes.applyTo(tx, { action }, document);
      await afterStateChange(tx, action, [id]);
      return presentDocument(await this.documents.view(tx, caller, id));
    });
  }
}

/**
 * Without `documents.create`, Write grants must cover every file that the document is filed into, and there
 * must be at least one file.
 */
function mayCreate(caller: Caller, fileIds: readonly string[], files: readonly TargetFile[]): boolean {
  const covered = files.filter(({ hasWriteGrant }) => hasWriteGrant);
  return caller.has('documents.create') || (covered.length > 0 && covered.length === fileIds.length);
}

/** The creator needs `documents.update`, from their role or from a Write grant for one of the files. */
function mayMakeConfidential(caller: Caller, files: readonly TargetFile[]): boolean {
  return (
    caller.has('documents.confidential.manage') ||
    caller.has('documents.update') ||
    files.some(({ hasWriteGrant }) => hasWriteGrant)
  );
}

/**
 * Writes the same audit entries as if the document had been created first and then filed, tagged and made
 * confidential. So a search of the audit log by action finds these, too.
 */
function recordCreated(
  tx: WriteTransaction,
  document: { id: string; title: string; createdBy: string },
  { files, tags, isConfidential }: { files: TargetFile[]; tags: TargetTag[]; isConfidential: boolean },
): void {
  tx.record({ action: 'DocumentCreated', subjectId: document.id, summary: document.title });
  for (const file of files) recordFiling(tx, 'DocumentFiled', document, file);
  for (const tag of tags) recordTagging(tx, 'DocumentTagged', document, tag);
  if (isConfidential) {
    tx.record({
      action: 'ConfidentialityChanged',
      subjectId: document.id,
      summary: `${document.title}: confidential`,
    });
  }
}
