// Made by npm run client:types from the OpenAPI document that the service serves.

/** Paths whose POST takes an Idempotency-Key. */
export const IDEMPOTENT_POSTS: ReadonlySet<string> = new Set([
  "/api/v1/t/{tenant}/files",
  "/api/v1/t/{tenant}/file-types/{fileTypeId}/files",
  "/api/v1/t/{tenant}/documents/bulk",
  "/api/v1/t/{tenant}/documents",
  "/api/v1/t/{tenant}/file-types",
  "/api/v1/t/{tenant}/document-types",
  "/api/v1/t/{tenant}/tags",
  "/api/v1/t/{tenant}/saved-views",
  "/api/v1/t/{tenant}/members",
  "/api/v1/t/{tenant}/roles",
  "/api/v1/t/{tenant}/invitations",
  "/api/v1/t/{tenant}/access-grants",
  "/api/v1/t/{tenant}/holds",
  "/api/v1/t/{tenant}/disposals",
  "/api/v1/t/{tenant}/exports",
  "/api/v1/t/{tenant}/webhooks",
  "/api/v1/t/{tenant}/webhooks/{webhookId}/rotate-secret",
]);

export interface paths {
    "/api/v1/t/{tenant}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files, newest first
         * @description Needs the permission `files.read`, or any Read grant.
         */
        get: operations["ListFiles"];
        put?: never;
        /**
         * Create a file
         * @description Needs the permission `files.create`.
         */
        post: operations["CreateFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description Needs the permission `files.read`, or any Read grant.
         */
        get: operations["GetFile"];
        /**
         * Rename a file
         * @description Needs the permission `files.update`, or a Write grant on the file.
         */
        put: operations["RenameFile"];
        post?: never;
        /**
         * Delete an open file that has no documents
         * @description Needs the permission `files.delete`.
         */
        delete: operations["DeleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/files/{fileId}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a file
         * @description Needs the permission `files.close`.
         */
        post: operations["CloseFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/files/{fileId}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a closed file
         * @description Needs the permission `files.reopen`.
         */
        post: operations["ReopenFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/file-types/{fileTypeId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a file with the next number of its type
         * @description Numbers have no gaps, and none is given twice, not even that of a deleted file. Numbers in use are skipped.
         *
         *     Needs the permission `files.create`.
         */
        post: operations["CreateNumberedFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag, file, archive or delete many documents at once, or undo this
         * @description All changes are made in one transaction. The response has a result for each document: a change that is not possible is refused with the reason, the others are made. Each document gets all tags or files, or none. Removing a tag or file that a document does not have changes nothing.
         *
         *     Needs one of the permissions `documents.update`, `documents.file`, `documents.archive`, `documents.delete`, `documents.restore`, depending on the body, or any Write grant.
         */
        post: operations["BulkChangeDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents, newest first or in another order
         * @description Needs the permission `documents.read`.
         */
        get: operations["ListDocuments"];
        put?: never;
        /**
         * Create a document, with or without content
         * @description A document without content is `Active` at once. A document with content is `Processing` until a worker has read the content. After that, `content` has the detected media type, searches find the text, and the document is `Active`. If the content could not be read, the document becomes `Active`, too, and the uploader gets the notification `DocumentProcessingFailed`.
         *
         *     The members of `fields` are keys of fields of the document type; null means no value. The format of a value depends on the type of the field:
         *
         *     | Type of the field | Request | Example | Response |
         *     | --- | --- | --- | --- |
         *     | `Text` | a string of at most 10000 characters; an empty string counts as no value | `"Am Markt 3"` | a string |
         *     | `Number` | a decimal number of at most 38 digits as a string, or a JSON number of at most 15 digits | `"-12.50"` | a string without trailing zeros: `"-12.5"` |
         *     | `Date` | a calendar date | `"2026-11-20"` | as sent |
         *     | `Money` | the amount as a string and an ISO 4217 currency code; at most 38 digits, and at most as many decimal places as the currency has | `{ "amount": "1234.5", "currency": "EUR" }` | with all decimal places of the currency: `"1234.50"` |
         *     | `Enumeration` | the key of an option of the field |  | as sent |
         *     | `Reference` | the id of the file, document or user that the field refers to |  | as sent |
         *
         *     Needs the permission `documents.create`, or any Write grant.
         */
        post: operations["CreateDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document
         * @description Needs the permission `documents.read`.
         */
        get: operations["GetDocument"];
        /**
         * Change the title, type and values of a document
         * @description Absent members stay unchanged. `documentTypeId: null` removes the type. `fields` replaces all values; null or an empty object removes them. A new type without `fields` keeps the values and is refused (400) if one of them is not valid for the new type. A null or empty `title` is refused (400). An update that changes nothing writes no audit entry.
         *
         *     Needs the permission `documents.update`, or a Write grant on a file that contains the document.
         */
        put: operations["UpdateDocument"];
        post?: never;
        /**
         * Move a document into the bin
         * @description Needs the permission `documents.delete`.
         */
        delete: operations["DeleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a document from the bin
         * @description Needs the permission `documents.restore`.
         */
        post: operations["RestoreDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a document
         * @description Needs the permission `documents.archive`.
         */
        post: operations["ArchiveDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an archived document active again
         * @description Needs the permission `documents.archive`.
         */
        post: operations["UnarchiveDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/files/{fileId}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a file, last filed first
         * @description Needs the permission `documents.read`.
         */
        get: operations["ListFileDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * File a document into a file
         * @description Needs the permission `documents.file`, or a Write grant on the file.
         */
        put: operations["FileDocument"];
        post?: never;
        /**
         * Remove a document from a file
         * @description Needs the permission `documents.file`, or a Write grant on the file.
         */
        delete: operations["UnfileDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a document from one file to another in one step
         * @description The same as unfiling and filing, in one transaction. Changes nothing if the document is only in the second file, so that a request can be repeated.
         *
         *     Needs the permission `documents.file`, or any Write grant.
         */
        post: operations["MoveDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a tag to a document
         * @description Needs the permission `documents.update`, or a Write grant on a file that contains the document.
         */
        put: operations["TagDocument"];
        post?: never;
        /**
         * Remove a tag from a document
         * @description Needs the permission `documents.update`, or a Write grant on a file that contains the document.
         */
        delete: operations["UntagDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the content of a document, or a range of it
         * @description Needs the permission `documents.read`.
         */
        get: operations["GetDocumentContent"];
        /**
         * Replace the content of a document, or add its first content
         * @description Adds a new version; earlier versions are kept. `If-Match` accepts the entity tag of the content or of the document; the response has that of the content. The same content with the same file name changes nothing.
         *
         *     Needs the permission `documents.update`, or a Write grant on a file that contains the document.
         */
        put: operations["ReplaceDocumentContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a document, newest first
         * @description Needs the permission `documents.read`.
         */
        get: operations["ListDocumentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/versions/{number}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the content of a version of a document, or a range of it
         * @description Needs the permission `documents.read`.
         */
        get: operations["GetDocumentVersionContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a former version of a document
         * @description Adds a new version with the content of the former one. Restoring the content that the document already has changes nothing.
         *
         *     Needs the permission `documents.update`, or a Write grant on a file that contains the document.
         */
        post: operations["RestoreDocumentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/content-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an address for the content of a document that needs no token
         * @description For images in pages, new tabs and download managers, which cannot send a token. Whoever has the address reads the content as the caller, for up to 15 minutes: GET and HEAD answer as GetDocumentContent, GetDocumentVersionContent or GetDocumentPreview do for the caller at that time, with the same rights, audit entries, rate limit and header fields. An address that has expired or was changed is 403 `content-link.invalid`. Nothing is stored for it.
         *
         *     Needs the permission `documents.read`.
         */
        post: operations["CreateContentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search documents by a filter with conditions on fields
         * @description Documents must meet all conditions. Without `documentTypeId`, a condition applies to the fields with its key in all document types, if the type of the field supports its operator and value.
         *
         *     | Type of the field | `operator` | `value` |
         *     | --- | --- | --- |
         *     | `Text` | EqualTo, NotEqualTo, IsEmpty, IsNotEmpty, Contains | the whole text (`Contains`: a part of it), ignoring case |
         *     | `Number` | EqualTo, NotEqualTo, IsEmpty, IsNotEmpty, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual | `"-12.5"` |
         *     | `Date` | EqualTo, NotEqualTo, IsEmpty, IsNotEmpty, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual | `"2026-11-20"` |
         *     | `Money` | EqualTo, NotEqualTo, IsEmpty, IsNotEmpty, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual | `"1234.50"`, or in one currency only: `"1234.50 EUR"` |
         *     | `Enumeration` | EqualTo, NotEqualTo, IsEmpty, IsNotEmpty | the key of an option |
         *     | `Reference` | EqualTo, NotEqualTo, IsEmpty, IsNotEmpty | the id of the file, document or user |
         *
         *     For IsEmpty and IsNotEmpty, `value` must be null or absent.
         *
         *     Needs the permission `documents.read`.
         */
        post: operations["SearchDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest documents, words, tags and files while a user types
         * @description At most `limit` suggestions, 10 by default, of what the caller can see, without the bin. Documents: all words are in the title, the last one as a beginning. Words: those that begin with the last word. Tags, with `tags.read`: the name begins with `q`. Files: as in `ListFiles`.
         *
         *     Needs the permission `documents.read`.
         */
        get: operations["ListSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture of a page of the content of a document
         * @description For PDFs, images and the pages of TIFFs, and for Office files if the service has a converter. At most four times as high as wide; the rest of a higher page is cut off. Transparent parts are white. The audit log records pictures with legible text like a download: all but those 200 pixels wide, and these if the page is narrower than 181 mm or an image.
         *
         *     Needs the permission `documents.read`.
         */
        get: operations["GetDocumentPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the text of the content of a document again
         * @description For a content that came in before the service could read its format, or before it recognised characters. `content.text` is `Pending` until a worker has read it; searches find the former text meanwhile. Status and `updatedAt` do not change, so this is allowed for archived documents and in closed files. Nobody is notified of a failure: see `content.failure`.
         *
         *     Needs the permission `documents.update`, or a Write grant on a file that contains the document.
         */
        post: operations["ReprocessDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the text of the content of a document, as searches find it
         * @description UTF-8. A form feed (U+000C) separates pages and slides. The header `Recognised-Pages` names the pages whose text is from character recognition (OCR). The audit log records the access like a download.
         *
         *     Needs the permission `documents.read`.
         */
        get: operations["GetDocumentText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/file-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List file types, sorted by German name
         * @description Needs the permission `fileTypes.read`.
         */
        get: operations["ListFileTypes"];
        put?: never;
        /**
         * Create a file type
         * @description Needs the permission `fileTypes.manage`.
         */
        post: operations["CreateFileType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/file-types/{fileTypeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file type
         * @description Needs the permission `fileTypes.read`.
         */
        get: operations["GetFileType"];
        /**
         * Rename a file type
         * @description The key cannot be changed. Names need not be unique.
         *
         *     Needs the permission `fileTypes.manage`.
         */
        put: operations["UpdateFileType"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/file-types/{fileTypeId}/numbering": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the pattern of the numbers of new files of a type
         * @description Needs the permission `fileTypes.read`.
         */
        get: operations["GetFileTypeNumbering"];
        /**
         * Set the pattern of the numbers of new files of a type
         * @description A counter belongs to the pattern with year and month filled in. So it starts again when these change, and file types with the same pattern share one.
         *
         *     Needs the permission `fileTypes.manage`.
         */
        put: operations["UpdateFileTypeNumbering"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/file-types/{fileTypeId}/next-number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the number that the next file of a type would get
         * @description Takes nothing: another caller can get the number first.
         *
         *     Needs the permission `files.create`.
         */
        get: operations["GetNextFileNumber"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/document-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List document types, sorted by German name
         * @description Needs the permission `documentTypes.read`.
         */
        get: operations["ListDocumentTypes"];
        put?: never;
        /**
         * Create a document type
         * @description Needs the permission `documentTypes.manage`.
         */
        post: operations["CreateDocumentType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/document-types/{documentTypeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document type
         * @description Needs the permission `documentTypes.read`.
         */
        get: operations["GetDocumentType"];
        /**
         * Rename a document type or change its fields
         * @description A field that is missing from `fields` is removed. Responses list it with `isRemoved: true` after the live fields; documents keep its values but do not show them. A removed field stays removed if it is sent with `isRemoved: true`; sent without it, with the same key and type, it is restored. The key and type of a field cannot be changed. While a document has a value in a field, the option of that value cannot be removed, and the target of a Reference cannot be changed.
         *
         *     Needs the permission `documentTypes.manage`.
         */
        put: operations["UpdateDocumentType"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/document-types/{documentTypeId}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a document type
         * @description Documents can no longer get the type; documents that have it keep it. An inactive type is returned unchanged.
         *
         *     Needs the permission `documentTypes.manage`.
         */
        post: operations["DeactivateDocumentType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/document-types/{documentTypeId}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reactivate a document type
         * @description Documents can get the type again. An active type is returned unchanged.
         *
         *     Needs the permission `documentTypes.manage`.
         */
        post: operations["ReactivateDocumentType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags, sorted by name
         * @description Needs the permission `tags.read`.
         */
        get: operations["ListTags"];
        put?: never;
        /**
         * Create a tag
         * @description Needs the permission `tags.manage`.
         */
        post: operations["CreateTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tag
         * @description Needs the permission `tags.read`.
         */
        get: operations["GetTag"];
        /**
         * Rename a tag
         * @description Needs the permission `tags.manage`.
         */
        put: operations["RenameTag"];
        post?: never;
        /**
         * Delete a tag
         * @description Removes the tag from all documents, including those in closed files and in the bin.
         *
         *     Needs the permission `tags.manage`.
         */
        delete: operations["DeleteTag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller’s saved views, sorted by name
         * @description Every member of the tenant can call this operation.
         */
        get: operations["ListSavedViews"];
        put?: never;
        /**
         * Save a document filter under a name
         * @description Needs the permission `savedViews.manage`.
         */
        post: operations["CreateSavedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/saved-views/{savedViewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of the caller’s saved views
         * @description Every member of the tenant can call this operation.
         */
        get: operations["GetSavedView"];
        /**
         * Rename a saved view or change its filter
         * @description Parts that the stored filter already has are accepted, even if the objects they refer to were deleted or are no longer visible to the caller.
         *
         *     Needs the permission `savedViews.manage`.
         */
        put: operations["UpdateSavedView"];
        post?: never;
        /**
         * Delete one of the caller’s saved views
         * @description Needs the permission `savedViews.manage`.
         */
        delete: operations["DeleteSavedView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/confidential-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List confidential documents, newest first, without title or content
         * @description For managing access lists. Only users on the access list of a document can see more of it. Documents in the bin are left out.
         *
         *     Needs the permission `documents.confidential.manage`.
         */
        get: operations["ListConfidentialDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/confidentiality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a document confidential or not confidential
         * @description The access list starts with the creator of the document, or with the caller if the creator is no longer a member. It is deleted when the document stops being confidential. Users who are not on the access list get 404 for a confidential document.
         *
         *     Needs the permission `documents.confidential.manage`, or `documents.update` for a document that the caller created.
         */
        put: operations["ChangeConfidentiality"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/confidential-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users on the access list of a confidential document, last added first
         * @description Empty for a document that is not confidential.
         *
         *     Needs the permission `documents.confidential.manage`, or `documents.read` and an entry on the access list of the document.
         */
        get: operations["ListConfidentialUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/confidential-access/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member to the access list of a confidential document
         * @description Changes nothing if the user is already on the list. A user on the list with `documents.read` can see the document, even if none of its files is visible to them.
         *
         *     Needs the permission `documents.confidential.manage`, or `documents.update` and an entry on the access list of the document.
         */
        put: operations["AddConfidentialUser"];
        post?: never;
        /**
         * Remove a user from the access list of a confidential document
         * @description Needs the permission `documents.confidential.manage`.
         */
        delete: operations["RemoveConfidentialUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller’s user, tenant, role and permissions
         * @description Every member of the tenant can call this operation.
         */
        get: operations["GetTenantMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenants of the caller, sorted by name
         * @description Includes tenants that the caller is a member of, and tenants that named the caller as administrator when they were created: the first call makes the caller a member. The role is the same as in the response of GetTenantMe, which also has the permissions.
         *
         *     Needs a valid access token, but no membership.
         */
        get: operations["ListOwnTenants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notifications of the caller, newest first
         * @description Leaves out notifications about documents and files that the caller cannot see at the moment. Notifications that access was revoked are always included.
         *
         *     Every member of the tenant can call this operation.
         */
        get: operations["ListNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/notifications/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive the notifications of the caller as they occur (Server-Sent Events)
         * @description Sends the notifications that are created while the stream is open, with the type as `event` and without `id`. After each connection, list the notifications to get the earlier ones. Visibility is as in ListNotifications.
         *
         *     Every member of the tenant can call this operation.
         */
        get: operations["StreamNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark all notifications of the caller as read
         * @description Every member of the tenant can call this operation.
         */
        post: operations["MarkAllNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/notifications/{notificationId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a notification as read
         * @description Changes nothing if the notification was already read.
         *
         *     Every member of the tenant can call this operation.
         */
        post: operations["MarkNotificationRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get when the caller gets mail about notifications
         * @description Every member of the tenant can call this operation.
         */
        get: operations["GetNotificationPreferences"];
        /**
         * Change when the caller gets mail about notifications
         * @description `immediate`: within a minute, at most one mail per minute. `daily`: one mail at 07:00. Mail goes only to the address that the issuer has verified, and only if the service has a mail server. It contains no notification that the caller cannot see at that time. The link in each mail turns all mail of the tenant off.
         *
         *     Every member of the tenant can call this operation.
         */
        put: operations["UpdateNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of notifications with their texts
         * @description Needs no token.
         */
        get: operations["ListNotificationTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members, sorted by name
         * @description Sorted by display name, or by e-mail address or subject if there is none. A member who has not called this tenant yet is listed by subject, without name and address.
         *
         *     Needs the permission `members.read`.
         */
        get: operations["ListMembers"];
        put?: never;
        /**
         * Add a user or a machine client as a member
         * @description Adds a user with a known issuer and subject, who need not have called the service before. To add a person by e-mail address, use CreateInvitation. Name and address are null until the member calls this tenant. The caller must have every permission of the role.
         *
         *     Needs the permission `members.manage`.
         */
        post: operations["AddMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member
         * @description Needs the permission `members.read`.
         */
        get: operations["GetMember"];
        /**
         * Change the role of a member
         * @description Takes effect on the member’s next request. The caller must have every permission of the current and the new role.
         *
         *     Needs the permission `members.manage`.
         */
        put: operations["ChangeMemberRole"];
        post?: never;
        /**
         * Remove a member
         * @description Takes effect on the member’s next request. Also ends their access grants and removes them from access lists of confidential documents; adding them again does not restore these. If they were the last user on an access list, the document stays confidential with an empty list. The caller must have every permission of the member’s role.
         *
         *     Needs the permission `members.manage`.
         */
        delete: operations["RemoveMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the names of members by id
         * @description For members without `members.read`, to show a name beside an id such as `createdById`. Sorted by id. Without users who are not members of the tenant, or no longer.
         *
         *     Every member of the tenant can call this operation.
         */
        get: operations["ListUserNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles, sorted by name
         * @description Needs the permission `roles.read`.
         */
        get: operations["ListRoles"];
        put?: never;
        /**
         * Create a role
         * @description The caller must have every permission of the new role.
         *
         *     Needs the permission `roles.manage`.
         */
        post: operations["CreateRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/roles/{roleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a role
         * @description Needs the permission `roles.read`.
         */
        get: operations["GetRole"];
        /**
         * Rename a role or change its permissions
         * @description Takes effect for all members with the role on their next request. The caller must have every permission that the role has before or after the change.
         *
         *     Needs the permission `roles.manage`.
         */
        put: operations["UpdateRole"];
        post?: never;
        /**
         * Delete a role that no member has
         * @description Access grants for the role end, too. The caller must have every permission of the role.
         *
         *     Needs the permission `roles.manage`.
         */
        delete: operations["DeleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all permissions that a role can have
         * @description The same for all tenants.
         *
         *     Needs the permission `roles.read`.
         */
        get: operations["ListPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations, newest first
         * @description Includes accepted, declined, revoked and expired invitations.
         *
         *     Needs the permission `invitations.manage`.
         */
        get: operations["ListInvitations"];
        put?: never;
        /**
         * Invite a person by e-mail address
         * @description An invitation link is mailed if the service has a mail server, unless `sendMail` is `false`. The response contains another link to the same invitation, only once. Within 24 hours, at most 3 mails are sent to an address, and a limited number by a member and by all members of the tenant; ended invitations count. Addresses are compared by the ASCII form of the domain and, before the @, ignoring the case of ASCII letters. The caller must have every permission of the role.
         *
         *     Needs the permission `invitations.manage`.
         */
        post: operations["CreateInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invitation
         * @description Only the response of CreateInvitation contains the secret.
         *
         *     Needs the permission `invitations.manage`.
         */
        get: operations["GetInvitation"];
        put?: never;
        post?: never;
        /**
         * Revoke a pending invitation
         * @description Returns 409 if the invitation was accepted, declined or revoked, or has expired.
         *
         *     Needs the permission `invitations.manage`.
         */
        delete: operations["RevokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Makes the caller a member of the tenant. Requires an access token with the invited address as verified e-mail address. Returns the same 404 for an unknown tenant, an unknown or ended secret, and another address. Returns 409 if the caller already is a member.
         *
         *     Needs a valid access token, but no membership.
         */
        post: operations["AcceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/invitations/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an invitation
         * @description Has the same requirements as AcceptInvitation and returns the same 404.
         *
         *     Needs a valid access token, but no membership.
         */
        post: operations["DeclineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/access-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List access grants, newest first
         * @description Includes expired and revoked grants.
         *
         *     Needs the permission `accessGrants.read`.
         */
        get: operations["ListAccessGrants"];
        put?: never;
        /**
         * Grant access to a file, or to all files of a type
         * @description Takes effect at once. The caller’s role must have every permission that the grant gives: `files.read` for Read; also `files.update`, `documents.create`, `documents.update` and `documents.file` for Write.
         *
         *     Needs the permission `accessGrants.manage`.
         */
        post: operations["CreateAccessGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/access-grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an access grant
         * @description Needs the permission `accessGrants.read`.
         */
        get: operations["GetAccessGrant"];
        put?: never;
        post?: never;
        /**
         * Revoke an access grant
         * @description Takes effect at once. Returns 409 if the grant has expired or was already revoked.
         *
         *     Needs the permission `accessGrants.manage`.
         */
        delete: operations["RevokeAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/files/{fileId}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members who can read a file, and why, sorted by name
         * @description The caller must see the file or document. With `auditLog.read`, this applies to confidential documents only.
         *
         *     Needs the permissions `accessGrants.read` and `members.read`.
         */
        get: operations["ListFileAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members who can read a document, and why, sorted by name
         * @description The caller must see the file or document. With `auditLog.read`, this applies to confidential documents only.
         *
         *     Needs the permissions `accessGrants.read` and `members.read`.
         */
        get: operations["ListDocumentAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/members/{userId}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether a member can read a file or a document, and why or why not
         * @description The caller must see the file or document. With `auditLog.read`, this applies to confidential documents only.
         *
         *     Needs the permissions `accessGrants.read` and `members.read`.
         */
        get: operations["GetMemberAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/file-types/{fileTypeId}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the retention rule of the files of a type
         * @description Needs the permission `fileTypes.read`.
         */
        get: operations["GetFileTypeRetention"];
        /**
         * Set the retention rule of the files of a type
         * @description The rule holds at once for all files of the type, also for those that are closed.
         *
         *     Needs the permission `fileTypes.manage`.
         */
        put: operations["UpdateFileTypeRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/files/{fileId}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show until when a file must be kept
         * @description Needs the permission `files.read`, or any Read grant.
         */
        get: operations["GetFileRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/documents/{documentId}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether a document is held
         * @description Needs the permission `documents.read`.
         */
        get: operations["GetDocumentRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List holds, newest first
         * @description Needs the permission `holds.manage`.
         */
        get: operations["ListHolds"];
        put?: never;
        /**
         * Create a hold
         * @description The hold is active, and contains nothing yet.
         *
         *     Needs the permission `holds.manage`.
         */
        post: operations["CreateHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/holds/{holdId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hold
         * @description Needs the permission `holds.manage`.
         */
        get: operations["GetHold"];
        /**
         * Change name and reason of an active hold
         * @description Needs the permission `holds.manage`.
         */
        put: operations["UpdateHold"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/holds/{holdId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a hold for ever
         * @description It keeps its items, as a record of what was held.
         *
         *     Needs the permission `holds.manage`.
         */
        post: operations["ReleaseHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/holds/{holdId}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files and documents of a hold that are visible to the caller, last added first
         * @description Needs the permission `holds.manage`.
         */
        get: operations["ListHoldItems"];
        put?: never;
        /**
         * Add files and documents to a hold
         * @description Adds all of them or none. Those that the hold contains already stay.
         *
         *     Needs the permission `holds.manage`.
         */
        post: operations["AddHoldItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/holds/{holdId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a file to a hold
         * @description Needs the permission `holds.manage`.
         */
        put: operations["AddFileToHold"];
        post?: never;
        /**
         * Remove a file from a hold
         * @description Needs the permission `holds.manage`.
         */
        delete: operations["RemoveFileFromHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/holds/{holdId}/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a document to a hold
         * @description Needs the permission `holds.manage`.
         */
        put: operations["AddDocumentToHold"];
        post?: never;
        /**
         * Remove a document from a hold
         * @description Needs the permission `holds.manage`.
         */
        delete: operations["RemoveDocumentFromHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disposals, newest first
         * @description Needs one of the permissions `disposals.manage`, `disposals.approve`, `auditLog.read`, depending on the body.
         */
        get: operations["ListDisposals"];
        put?: never;
        /**
         * Gather due files of a type
         * @description At most 10,000, oldest first, without those that are held or in another disposal.
         *
         *     Needs the permissions `disposals.manage` and `files.read`.
         */
        post: operations["CreateDisposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a disposal
         * @description Needs one of the permissions `disposals.manage`, `disposals.approve`, `auditLog.read`, depending on the body.
         */
        get: operations["GetDisposal"];
        /**
         * Rename a draft, and decide on all files without a decision
         * @description Needs the permissions `disposals.manage` and `files.read`.
         */
        put: operations["UpdateDisposal"];
        post?: never;
        /**
         * Delete a draft
         * @description Needs the permissions `disposals.manage` and `files.read`.
         */
        delete: operations["DeleteDisposal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a disposal, first closed first
         * @description Needs one of the permissions `disposals.manage`, `disposals.approve`, `auditLog.read`, depending on the body.
         */
        get: operations["ListDisposalFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Decide on a file of a draft
         * @description Needs the permissions `disposals.manage` and `files.read`.
         */
        put: operations["DecideOnDisposalFile"];
        post?: never;
        /**
         * Take a file out of a draft
         * @description Needs the permissions `disposals.manage` and `files.read`.
         */
        delete: operations["RemoveDisposalFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a draft for approval
         * @description Needs the permissions `disposals.manage` and `files.read`.
         */
        post: operations["SubmitDisposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a disposal that others have made, which carries it out
         * @description Needs the permissions `disposals.approve` and `files.read`.
         */
        post: operations["ApproveDisposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a disposal, which becomes a draft again
         * @description Needs the permissions `disposals.approve` and `files.read`.
         */
        post: operations["RejectDisposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/disposals/{disposalId}/certificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the certificate of a completed disposal, as JSON or as a page to print
         * @description With the texts of the language that `Accept-Language` prefers.
         *
         *     Needs one of the permissions `disposals.manage`, `disposals.approve`, `auditLog.read`, depending on the body.
         */
        get: operations["GetDisposalCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries, newest first
         * @description Needs the permission `auditLog.read`.
         */
        get: operations["ListAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a signed statement of the current state of the audit log
         * @description The event log of the tenant is a Merkle tree by RFC 9162; leaf *n* is the entry with the sequence *n*. The checkpoint (C2SP tlog-checkpoint) is a signed note (Ed25519) with the origin of the log, the number of entries and the root of the tree. An entry is in the tree about a second after its commit. See docs/evidence.md.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["GetAuditCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys that verify checkpoints
         * @description One verifier key (C2SP signed note) a line. Keys that no longer sign stay. Compare them with those that you received on another way.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["GetAuditKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the daily checkpoints, newest first
         * @description Needs the permission `auditLog.read`.
         */
        get: operations["ListAuditCheckpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log/entries/{auditEntryId}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that an entry is in the audit log
         * @description An inclusion proof by RFC 9162 with the signed checkpoint that it is for. It can be shown to others: without `opening`, it contains no text and no related ids of the entry. 409 with `Retry-After` if the entry is not in the tree yet.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["GetAuditProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that a later state of the audit log continues an earlier one
         * @description A consistency proof by RFC 9162 between the trees of two sizes, such as those of two checkpoints.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["GetAuditConsistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log with everything that is needed to verify it
         * @description NDJSON. The first line has `fromSize` and `hashes`, the roots of the subtrees of the entries before it. A line for each entry has `sequence`, `leaf` and `opening` as in GetAuditProof, and `hash`, the stored hash of the leaf; `leaf` is null if the entry was deleted from the database. The last line has `checkpoint`, a signed note about exactly these entries. Without it, the export is incomplete. `npm run verify-audit` verifies it offline. One export at a time for each caller.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["ExportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your exports, newest first
         * @description Exports without a package are listed for 30 days.
         *
         *     Every member of the tenant can call this operation.
         */
        get: operations["ListExports"];
        put?: never;
        /**
         * Export files and documents as a package
         * @description The package is packed after the response; a notification says when it is ready. It is a ZIP with all versions of the contents, the data as JSON, checksums (BagIt) and a page that lists everything. It has what you can see when it is packed, without the bin, and audit entries only with `auditLog.read`. Only you can see it.
         *
         *     Needs the permission `exports.create`.
         */
        post: operations["CreateExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an export of yours
         * @description Every member of the tenant can call this operation.
         */
        get: operations["GetExport"];
        put?: never;
        post?: never;
        /**
         * Delete an export of yours and its package
         * @description Packing ends, if it is in progress.
         *
         *     Every member of the tenant can call this operation.
         */
        delete: operations["DeleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/exports/{exportId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the package of an export, or a range of it
         * @description Each request first checks that you still see everything in the package.
         *
         *     Every member of the tenant can call this operation.
         */
        get: operations["GetExportContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description Needs the permission `webhooks.manage`.
         */
        get: operations["ListWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events from now on are delivered to the URL. The deliveries contain what the caller may read; they end when the caller loses `auditLog.read` or leaves the tenant. Only this response and that of RotateWebhookSecret contain the secret.
         *
         *     Needs the permissions `webhooks.manage` and `auditLog.read`.
         */
        post: operations["CreateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Needs the permission `webhooks.manage`.
         */
        get: operations["GetWebhook"];
        /**
         * Change a webhook, disable or enable it
         * @description A caller who changes the URL becomes the creator of the webhook. Disabling ends the pending deliveries.
         *
         *     Needs the permissions `webhooks.manage` and `auditLog.read`.
         */
        put: operations["UpdateWebhook"];
        post?: never;
        /**
         * Delete a webhook and its deliveries
         * @description Needs the permission `webhooks.manage`.
         */
        delete: operations["DeleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks/{webhookId}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook
         * @description Events from now on are delivered; those since it was disabled are not. Changes nothing if the webhook is active.
         *
         *     Needs the permissions `webhooks.manage` and `auditLog.read`.
         */
        post: operations["EnableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description For 24 hours, deliveries also carry the signature of the former secret.
         *
         *     Needs the permissions `webhooks.manage` and `auditLog.read`.
         */
        post: operations["RotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Sends an event of the type `WebhookTest` with the sequence null, once. Returns its delivery, which is still pending; ListWebhookDeliveries shows the outcome.
         *
         *     Needs the permissions `webhooks.manage` and `auditLog.read`.
         */
        post: operations["TestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Deliveries are kept for 30 days.
         *
         *     Needs the permission `webhooks.manage`.
         */
        get: operations["ListWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event to a webhook again
         * @description Also if it was delivered before. A pending delivery becomes due at once.
         *
         *     Needs the permissions `webhooks.manage` and `auditLog.read`.
         */
        post: operations["RedeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, oldest first
         * @description Every audit entry is an event. Shortly after its commit, it gets the next `sequence` in the event log of the tenant. Sequences start at 0, have no gaps and never change, so that a program that continues with `nextCursor` misses nothing. Events contain ids only; read the resource for more. If the database was restored from a backup, cursors return 400: start again without one.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["ListEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive events as they occur (Server-Sent Events)
         * @description Each event has its sequence as `id` and its type as `event`. A client that connects again continues after its last event. The stream ends within two seconds when the caller loses the permission or the token expires. A comment line is sent every 15 seconds. A client that does not read is disconnected. Each 256 KiB cost one request of the rate limit; the stream pauses until it allows them. At most 10 streams of a caller and 100 of a tenant can be open.
         *
         *     To miss nothing, read ListEvents first and pass the last sequence as `after`. The token must be in the header `Authorization`, which `EventSource` of browsers cannot send: use a client based on `fetch`.
         *
         *     Needs the permission `auditLog.read`.
         */
        get: operations["StreamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/t/{tenant}/settings/slug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the slug of the tenant
         * @description The former slug still refers to the tenant for 90 days, and no other tenant can use it in this time. At most three former slugs are kept. At most 10 attempts per hour and tenant.
         *
         *     Needs the permission `settings.manage`.
         */
        put: operations["ChangeTenantSlug"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is running
         * @description Needs no token.
         */
        get: operations["GetLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service can handle requests
         * @description Needs no token.
         */
        get: operations["GetReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the addresses of the API description
         * @description Redirects browsers to the documentation page. The response header `Link` has the same addresses for programs.
         *
         *     Needs no token.
         */
        get: operations["GetRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document (OpenAPI 3.1)
         * @description Needs no token.
         */
        get: operations["GetOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all problems
         * @description Needs no token.
         */
        get: operations["ListProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the explanation of a problem
         * @description Needs no token.
         */
        get: operations["GetProblem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An event of the tenant
         * @description Sent to the URL of a webhook, by [Standard Webhooks](https://www.standardwebhooks.com). Libraries of Standard Webhooks verify the signature with the secret of the webhook. Every event is sent at least once while the webhook is active, in any order; `webhook-id` identifies repetitions. Without a 2xx response within 15 seconds, the request is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.
         */
        post: operations["event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessGrant: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            subjectType: "User" | "Role";
            /** Format: uuid */
            subjectId: string;
            /** @enum {string} */
            targetType: "File" | "FileType";
            /** Format: uuid */
            targetId: string;
            /** @enum {string} */
            level: "Read" | "Write";
            /** @enum {string} */
            status: "Active" | "Expired" | "Revoked";
            /** @example Stands in for Alice until Easter */
            reason: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: uuid */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            revokedAt: string | null;
        };
        AccessGrantPage: {
            items: components["schemas"]["AccessGrant"][];
            nextCursor: string | null;
        };
        AccessReason: {
            /**
             * @description `Role`: the role has `files.read`. `GrantOnFile`, `GrantOnFileType`: an access grant. `ConfidentialityList`: the document is confidential, and the member is on its access list. `Creator`: the member created the document.
             * @enum {string}
             */
            kind: "Role" | "GrantOnFile" | "GrantOnFileType" | "ConfidentialityList" | "Creator";
            /**
             * Format: uuid
             * @description The role with `files.read` or the grant
             */
            roleId?: string;
            /**
             * Format: uuid
             * @description Only for grants
             */
            grantId?: string;
            /**
             * Format: uuid
             * @description Only for grants: the file, or a file with the document. Null if the caller cannot see it.
             */
            fileId?: string | null;
            /**
             * Format: date-time
             * @description Only for grants: time when the grant expires; null: never
             */
            expiresAt?: string | null;
        };
        AddHoldItemsBody: {
            /** @description Files to hold, with the documents in them */
            fileIds?: string[] | null;
            /** @description Documents to hold. Together with `fileIds` at most 1000 */
            documentIds?: string[] | null;
        };
        AddMemberBody: {
            /**
             * @description Issuer of the user’s access tokens: exactly their claim `iss`. `urn:filing-service:embedded-issuer` means the embedded issuer
             * @example https://login.example.com
             */
            issuer: string;
            /**
             * @description Subject of the user’s access tokens: exactly their claim `sub`
             * @example archive-scanner
             */
            subject: string;
            /**
             * Format: uuid
             * @description Id of the role for the new member
             */
            roleId: string;
        };
        AuditCheckpoint: {
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Number of entries that it states
             */
            size: number;
            /** @description Signed note, C2SP tlog-checkpoint */
            checkpoint: string;
            /** Format: date-time */
            createdAt: string;
        };
        AuditCheckpointPage: {
            items: components["schemas"]["AuditCheckpoint"][];
            nextCursor: string | null;
        };
        AuditConsistency: {
            /** @description Consistency proof of RFC 9162, 2.1.4: SHA-256 hashes in Base64 */
            hashes: string[];
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            occurredAt: string;
            /**
             * Format: uuid
             * @description Null if the service itself did it
             */
            actorId: string | null;
            /** @description Name of the user at that time */
            actorName: string | null;
            /**
             * @description What was done. Later versions can have more values.
             * @example FileRenamed
             * @enum {string}
             */
            action: "FileCreated" | "FileRenamed" | "FileClosed" | "FileReopened" | "FileDeleted" | "FileTypeCreated" | "FileTypeUpdated" | "FileTypeNumberingChanged" | "FileTypeRetentionChanged" | "DocumentCreated" | "DocumentUpdated" | "DocumentFiled" | "DocumentUnfiled" | "DocumentArchived" | "DocumentUnarchived" | "DocumentDeleted" | "DocumentRestored" | "DocumentPurged" | "DocumentDownloaded" | "DocumentExported" | "DocumentReprocessed" | "DocumentTagged" | "DocumentUntagged" | "ConfidentialityChanged" | "ConfidentialUserAdded" | "ConfidentialUserRemoved" | "DocumentTypeCreated" | "DocumentTypeUpdated" | "DocumentTypeDeactivated" | "DocumentTypeReactivated" | "TagCreated" | "TagRenamed" | "TagDeleted" | "SavedViewCreated" | "SavedViewUpdated" | "SavedViewDeleted" | "RoleCreated" | "RoleUpdated" | "RoleDeleted" | "MemberAdded" | "MemberRoleChanged" | "MemberRemoved" | "InvitationCreated" | "InvitationAccepted" | "InvitationDeclined" | "InvitationRevoked" | "AccessGranted" | "AccessRevoked" | "HoldCreated" | "HoldUpdated" | "HoldReleased" | "HoldItemAdded" | "HoldItemRemoved" | "DisposalCreated" | "DisposalUpdated" | "DisposalDeleted" | "DisposalSubmitted" | "DisposalApproved" | "DisposalRejected" | "DisposalCompleted" | "FileDisposed" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "AuditCheckpointSigned" | "ExportCreated" | "ExportDownloaded" | "ExportDeleted" | "TenantCreated" | "TenantSlugChanged" | "TenantRenamed" | "TenantAdministratorAdded" | "TenantSuspended" | "TenantResumed";
            /**
             * @description Type of the object. Later versions can have more values.
             * @example File
             * @enum {string}
             */
            subjectType: "File" | "FileType" | "Document" | "DocumentType" | "Tag" | "SavedView" | "Role" | "Member" | "Invitation" | "AccessGrant" | "Hold" | "Disposal" | "Webhook" | "AuditCheckpoint" | "Export" | "Tenant";
            /** Format: uuid */
            subjectId: string;
            /** @description Null also if the entry is about a confidential document that the caller has no access to */
            summary: string | null;
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            nextCursor: string | null;
        };
        AuditOpening: {
            /**
             * @description 16 random bytes in Base64
             * @example q83vEjRWeJCrze8SNFZ4kA==
             */
            salt: string;
            actorName: string | null;
            /**
             * Format: int32
             * @description Version of a downloaded content
             */
            contentVersion: number | null;
            related: {
                [key: string]: string;
            };
            summary: string | null;
        };
        AuditProof: {
            /**
             * Format: int64
             * @description Place of the entry in the event log, and of its leaf in the tree
             */
            sequence: number;
            /** Format: int64 */
            treeSize: number;
            /** @description Canonical JSON (RFC 8785) with the members v, id, occurredAt, actorId, action, subjectType, subjectId and text. The hash of the leaf is SHA-256 over a zero byte and this string. */
            leaf: string;
            /** @description What `text` of the leaf is the hash of: base64url(SHA-256(salt ‖ canonical JSON of the other members)). Null if the caller may not read all of the entry. */
            opening: components["schemas"]["AuditOpening"] | null;
            /** @description Inclusion proof of RFC 9162, 2.1.3: SHA-256 hashes in Base64 */
            hashes: string[];
            /** @description Signed checkpoint of the tree of this size */
            checkpoint: string;
        };
        BulkChange: {
            /** @description One result for each document, in the order of the request */
            results: components["schemas"]["BulkResult"][];
        };
        BulkChangeBody: {
            /**
             * @description The change to make to each document
             * @example Tag
             * @enum {string}
             */
            action: "Tag" | "Untag" | "File" | "Unfile" | "Move" | "Archive" | "Unarchive" | "Delete" | "Restore";
            /** @description Ids of the documents, without duplicates */
            documentIds: string[];
            /**
             * @description For Tag, Untag: the tags to add to the documents, or to remove
             * @example [
             *       "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
             *     ]
             */
            tagIds?: string[] | null;
            /** @description For File, Unfile: the files to file the documents into, or to remove them from */
            fileIds?: string[] | null;
            /**
             * Format: uuid
             * @description For Move: the file to move the documents from
             */
            fromFileId?: string | null;
            /**
             * Format: uuid
             * @description For Move: the file to move them to
             */
            toFileId?: string | null;
        };
        BulkProblem: {
            /** @example /problems/document.archived */
            type: string;
            /** @example Document archived */
            title: string;
            /**
             * Format: int32
             * @example 409
             */
            status: number;
            /** @example An archived document cannot be edited or tagged. */
            detail: string;
        };
        BulkResult: {
            /** Format: uuid */
            documentId: string;
            /**
             * @description `Unchanged`: the document already was in the requested state
             * @enum {string}
             */
            outcome: "Done" | "Unchanged" | "Refused";
            /** @description Why the change was refused: the problem that the operation for a single document would return */
            problem: components["schemas"]["BulkProblem"] | null;
        };
        CertificateFile: {
            /** @example BAU-2015-0001 */
            number: string;
            /**
             * @description `Destroy`; `Transferred`, with the receipt of the archive in `reference`; or `Keep`, at least until `keepUntil`
             * @enum {string|null}
             */
            decision: "Destroy" | "Transferred" | "Keep" | null;
            /** @description Receipt of the archive */
            reference: string | null;
            /** Format: date */
            keepUntil: string | null;
            /** @enum {string|null} */
            outcome: "Destroying" | "Destroyed" | "Kept" | "Skipped" | null;
            /** @enum {string|null} */
            skippedBecause: "NotClosed" | "NotDue" | "Held" | null;
            /**
             * Format: date
             * @description In the time zone of the service
             */
            closedOn: string;
            /**
             * Format: date
             * @description By the rule at the approval
             */
            dueOn: string | null;
            /**
             * Format: date
             * @description Null if it was not destroyed
             */
            disposedOn: string | null;
            /**
             * Format: int32
             * @description Destroyed documents, with confidential ones
             */
            documentCount: number;
            /**
             * Format: int64
             * @description Bytes of all versions of these documents
             */
            documentBytes: number;
        };
        ChangeConfidentialityBody: {
            /** @description Whether only the users on the access list can see the document */
            isConfidential: boolean;
        };
        ChangeMemberRoleBody: {
            /**
             * Format: uuid
             * @description Id of the new role
             */
            roleId: string;
        };
        ChangeTenantSlugBody: {
            /**
             * @description 3 to 63 lower-case letters, digits and hyphens, without a hyphen at the start or end. Must not be a UUID or a reserved word. Not trimmed
             * @example acme
             */
            slug: string;
        };
        ConfidentialDocument: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int32
             * @description Number of users on the access list; 0 if the last of them has left the tenant
             */
            userCount: number;
        };
        ConfidentialDocumentPage: {
            items: components["schemas"]["ConfidentialDocument"][];
            nextCursor: string | null;
        };
        ConfidentialUser: {
            /** Format: uuid */
            userId: string;
            /** @example Alice Arnold */
            displayName: string | null;
            /**
             * @description Null unless it is the caller’s own address, or the caller has `members.read` or `documents.confidential.manage`
             * @example alice@example.com
             */
            email: string | null;
            /** Format: date-time */
            addedAt: string;
        };
        ConfidentialUserPage: {
            items: components["schemas"]["ConfidentialUser"][];
            nextCursor: string | null;
        };
        ContentLink: {
            /**
             * Format: uri
             * @description Address for GET and HEAD without a token
             * @example https://filing.example/api/v1/t/acme/content-links/MDE5YTNjLi4u
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        CountedFile: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            fileTypeId: string;
            /** @example AZ-2026/0042 */
            number: string;
            /** @example Neubau Feuerwache Nord */
            name: string;
            /** @enum {string} */
            status: "Open" | "Closed";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            closedAt: string | null;
            /**
             * Format: int32
             * @description Only with `include=counts`: documents that the caller sees in the file, without the bin
             */
            documentCount?: number;
        };
        CreateAccessGrantBody: {
            /**
             * @description `User` grants access to one member, `Role` to all members with the role
             * @enum {string}
             */
            subjectType: "User" | "Role";
            /**
             * Format: uuid
             * @description Id of the user or the role
             */
            subjectId: string;
            /**
             * @description `File` grants access to one file, `FileType` to all files of the type
             * @enum {string}
             */
            targetType: "File" | "FileType";
            /**
             * Format: uuid
             * @description Id of the file or the file type
             */
            targetId: string;
            /**
             * @description `Read`: see the file. `Write`: also rename it, and create, edit and file documents in it.
             * @enum {string}
             */
            level: "Read" | "Write";
            /**
             * @description Reason for the grant
             * @example Stands in for Alice until Easter
             */
            reason?: string | null;
            /**
             * Format: date-time
             * @description Time when the grant expires; null: never
             */
            expiresAt?: string | null;
        };
        CreateContentLinkBody: {
            /**
             * @description What the address returns: the content, or a picture of a page of it. Absent: a picture if `page` or `width` is given
             * @enum {string}
             */
            of?: "content" | "preview";
            /**
             * Format: int32
             * @description Number of a version of the content. Absent: the newest when the address is used. A preview exists only of the newest.
             */
            version?: number;
            /**
             * @description As in GetDocumentContent. Not for a preview
             * @enum {string|null}
             */
            disposition?: "attachment" | "inline" | null;
            /**
             * Format: int32
             * @description As in GetDocumentPreview. Not for a content
             */
            page?: number | null;
            /**
             * Format: int32
             * @description As in GetDocumentPreview. Not for a content
             */
            width?: number | null;
            /**
             * Format: int32
             * @description Seconds until the address expires. Default: 900
             */
            expiresIn?: number;
        };
        CreateDisposalBody: {
            /** @example Aussonderung 2026 */
            name: string;
            /**
             * Format: uuid
             * @description Type of the files
             */
            fileTypeId: string;
            /**
             * Format: date
             * @description Only files with an earlier `dueOn`; not after today
             * @example 2026-01-01
             */
            dueBefore: string;
        };
        CreateDocumentTypeBody: {
            /**
             * @description Name in German
             * @example Rechnung
             */
            nameDe: string;
            /**
             * @description Name in English
             * @example Invoice
             */
            nameEn: string;
            /**
             * @description Unique in the tenant; cannot be changed later
             * @example invoice
             */
            key: string;
            /** @description At most 100 fields; null or absent: none */
            fields?: components["schemas"]["DocumentTypeFieldBody"][] | null;
        };
        CreateExportBody: {
            /**
             * @description Title of the package
             * @example Neubau Feuerwache Nord
             */
            name: string;
            /** @description These files with their documents. Exactly one of `fileIds`, `documentIds`, `fileTypeId`, `disposalId` and `all` is required. */
            fileIds?: string[] | null;
            /** @description These documents */
            documentIds?: string[] | null;
            /**
             * Format: uuid
             * @description All files of this type with their documents
             */
            fileTypeId?: string | null;
            /**
             * Format: uuid
             * @description The files of a disposal that is not carried out, with their documents, for example for the archive that takes them. Needs a permission to read disposals.
             */
            disposalId?: string | null;
            /**
             * @description `true`: all files and all documents
             * @example true
             */
            all?: boolean | null;
        };
        CreateFileBody: {
            /**
             * Format: uuid
             * @description Type of the file
             */
            fileTypeId: string;
            /**
             * @description Unique in the tenant, ignoring case; cannot be changed later
             * @example AZ-2026/0042
             */
            number: string;
            /** @example Neubau Feuerwache Nord */
            name: string;
        };
        CreateFileTypeBody: {
            /**
             * @description Name in German
             * @example Bauakte
             */
            nameDe: string;
            /**
             * @description Name in English
             * @example Construction file
             */
            nameEn: string;
            /**
             * @description Unique in the tenant; cannot be changed later
             * @example construction
             */
            key: string;
        };
        CreateInvitationBody: {
            /**
             * @description E-mail address of the invited person
             * @example bob@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @description Role that the invited person gets
             */
            roleId: string;
            /**
             * @description Personal message in the mail
             * @example Welcome to the team!
             */
            message?: string | null;
            /**
             * Format: date-time
             * @description Time when the invitation expires; null or absent: after 14 days
             */
            expiresAt?: string | null;
            /**
             * @description Whether the invitation is mailed, if the service has a mail server. With `false`, pass on the link in the response.
             * @example true
             */
            sendMail?: boolean;
        };
        CreateNumberedFileBody: {
            /** @example Neubau Feuerwache Nord */
            name: string;
        };
        CreateRoleBody: {
            /**
             * @description Unique in the tenant, ignoring case
             * @example Registry clerk
             */
            name: string;
            /**
             * @description Permissions of the role; see ListPermissions. May be empty.
             * @example [
             *       "files.read",
             *       "documents.read"
             *     ]
             */
            permissions: ("files.read" | "files.create" | "files.update" | "files.close" | "files.reopen" | "files.delete" | "fileTypes.read" | "fileTypes.manage" | "documents.read" | "documents.create" | "documents.update" | "documents.file" | "documents.archive" | "documents.delete" | "documents.restore" | "documents.confidential.manage" | "documentTypes.read" | "documentTypes.manage" | "tags.read" | "tags.manage" | "savedViews.manage" | "members.read" | "members.manage" | "invitations.manage" | "accessGrants.read" | "accessGrants.manage" | "roles.read" | "roles.manage" | "holds.manage" | "disposals.manage" | "disposals.approve" | "auditLog.read" | "exports.create" | "webhooks.manage" | "settings.manage")[];
        };
        CreateSavedViewBody: {
            /**
             * @description Unique among the saved views of the caller, ignoring case
             * @example Rechnungen über 1000 €
             */
            name: string;
            /** @description Null or absent: all documents */
            filter?: components["schemas"]["SavedViewFilterBody"] | null;
        };
        CreateTagBody: {
            /**
             * @description Unique in the tenant, ignoring case
             * @example Eilt
             */
            name: string;
        };
        CreateWebhookBody: {
            /**
             * @description URL of the receiver. It must begin with https:// and have no user and password. The service connects to public addresses only.
             * @example https://receiver.example/events
             */
            url: string;
            /**
             * @description What the webhook is for; null or absent for none
             * @example Copy of the file list in the citizen portal
             */
            description?: string | null;
            /**
             * @description Types of events to deliver; empty or absent for all, including those of later versions
             * @example [
             *       "FileCreated",
             *       "FileClosed"
             *     ]
             */
            types?: ("FileCreated" | "FileRenamed" | "FileClosed" | "FileReopened" | "FileDeleted" | "FileTypeCreated" | "FileTypeUpdated" | "FileTypeNumberingChanged" | "FileTypeRetentionChanged" | "DocumentCreated" | "DocumentUpdated" | "DocumentFiled" | "DocumentUnfiled" | "DocumentArchived" | "DocumentUnarchived" | "DocumentDeleted" | "DocumentRestored" | "DocumentPurged" | "DocumentDownloaded" | "DocumentExported" | "DocumentReprocessed" | "DocumentTagged" | "DocumentUntagged" | "ConfidentialityChanged" | "ConfidentialUserAdded" | "ConfidentialUserRemoved" | "DocumentTypeCreated" | "DocumentTypeUpdated" | "DocumentTypeDeactivated" | "DocumentTypeReactivated" | "TagCreated" | "TagRenamed" | "TagDeleted" | "SavedViewCreated" | "SavedViewUpdated" | "SavedViewDeleted" | "RoleCreated" | "RoleUpdated" | "RoleDeleted" | "MemberAdded" | "MemberRoleChanged" | "MemberRemoved" | "InvitationCreated" | "InvitationAccepted" | "InvitationDeclined" | "InvitationRevoked" | "AccessGranted" | "AccessRevoked" | "HoldCreated" | "HoldUpdated" | "HoldReleased" | "HoldItemAdded" | "HoldItemRemoved" | "DisposalCreated" | "DisposalUpdated" | "DisposalDeleted" | "DisposalSubmitted" | "DisposalApproved" | "DisposalRejected" | "DisposalCompleted" | "FileDisposed" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "AuditCheckpointSigned" | "ExportCreated" | "ExportDownloaded" | "ExportDeleted" | "TenantCreated" | "TenantSlugChanged" | "TenantRenamed" | "TenantAdministratorAdded" | "TenantSuspended" | "TenantResumed")[];
        };
        CreatedInvitation: {
            /** Format: uuid */
            id: string;
            /** @example bob@example.com */
            email: string;
            /** Format: uuid */
            roleId: string;
            /** @enum {string} */
            status: "Pending" | "Accepted" | "Declined" | "Revoked" | "Expired";
            /** @example Welcome to the team! */
            message: string | null;
            /** Format: uuid */
            invitedById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            acceptedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * @description Returned only once. Needed to accept the invitation, together with an access token for the invited address.
             * @example pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M
             */
            secret?: string;
            /**
             * Format: uri
             * @description Returned only once. The link for the invited person; it contains the secret.
             * @example https://filing.example/invitation#tenant=demo&secret=pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M
             */
            acceptUrl?: string;
        };
        DecideBody: {
            /** @description Receipt of the archive */
            reference?: string | null;
            /** Format: date */
            keepUntil?: string | null;
            /**
             * @description `Destroy`; `Transferred`, with the receipt of the archive in `reference`; or `Keep`, at least until `keepUntil`
             * @enum {string}
             */
            decision: "Destroy" | "Transferred" | "Keep";
        };
        Disposal: {
            /** Format: uuid */
            id: string;
            /** @example Aussonderung 2026 */
            name: string;
            /** Format: uuid */
            fileTypeId: string;
            /** Format: date */
            dueBefore: string;
            /** @enum {string} */
            status: "Draft" | "Submitted" | "Approved" | "Completed";
            /**
             * @description Period of the rule of the file type
             * @example P10Y
             */
            period: string;
            /** @description Start of the period */
            startsAt: string;
            /** @description Disposition of the rule */
            disposition: string;
            /**
             * Format: date-time
             * @description Since when the rule is as it is
             */
            ruleChangedAt: string;
            /** Format: uuid */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            submittedById: string | null;
            /** Format: date-time */
            submittedAt: string | null;
            /** Format: uuid */
            approvedById: string | null;
            /** Format: date-time */
            approvedAt: string | null;
            /** @description Reason of the last rejection */
            rejection: string | null;
            /** Format: date-time */
            completedAt: string | null;
        };
        DisposalCertificate: {
            disposal: components["schemas"]["Disposal"];
            /** @example building */
            fileTypeKey: string;
            /**
             * @description Name of the file type in the language of the response
             * @example Bauakte
             */
            fileTypeName: string;
            /**
             * @description Name at that time
             * @example Rita Records
             */
            createdByName: string;
            /** @example Rita Records */
            submittedByName: string;
            /** @example Alice Administrator */
            approvedByName: string;
            /**
             * Format: int32
             * @description Number of destroyed files
             */
            destroyedFiles: number;
            /** Format: int64 */
            destroyedDocuments: number;
            /** Format: int64 */
            destroyedBytes: number;
            /** @description All files, first closed first */
            files: components["schemas"]["CertificateFile"][];
            /**
             * @description What the certificate does not cover
             * @example The service has destroyed the files in its database and content store. Backups, replicas of the database and earlier versions in an object store are the responsibility of the operator.
             */
            notice: string;
        };
        DisposalFile: {
            /** @example BAU-2015-0001 */
            number: string;
            /**
             * @description `Destroy`; `Transferred`, with the receipt of the archive in `reference`; or `Keep`, at least until `keepUntil`
             * @enum {string|null}
             */
            decision: "Destroy" | "Transferred" | "Keep" | null;
            /** @description Receipt of the archive */
            reference: string | null;
            /** Format: date */
            keepUntil: string | null;
            /** @enum {string|null} */
            outcome: "Destroying" | "Destroyed" | "Kept" | "Skipped" | null;
            /** @enum {string|null} */
            skippedBecause: "NotClosed" | "NotDue" | "Held" | null;
            /** Format: uuid */
            fileId: string;
            /** @description Null once the file is destroyed, or if it is not visible to the caller */
            name: string | null;
            /** Format: date-time */
            closedAt: string;
            /**
             * Format: int32
             * @description Documents that are visible to the caller, without the bin, at most 1000; after the destruction, all documents
             */
            documentCount: number;
        };
        DisposalFilePage: {
            items: components["schemas"]["DisposalFile"][];
            nextCursor: string | null;
        };
        DisposalPage: {
            items: components["schemas"]["Disposal"][];
            nextCursor: string | null;
        };
        Document: {
            /** Format: uuid */
            id: string;
            /** @example Baugenehmigung vom 20. November */
            title: string;
            /** Format: uuid */
            documentTypeId: string | null;
            /** @enum {string} */
            status: "Processing" | "Active" | "Archived" | "Deleted";
            /**
             * @description Values by field key: Money as objects, all other types as strings
             * @example {
             *       "betrag": {
             *         "amount": "1234.50",
             *         "currency": "EUR"
             *       },
             *       "eingang": "2026-11-20"
             *     }
             */
            fields: {
                [key: string]: string | components["schemas"]["Money"];
            };
            tagIds: string[];
            /** @description Files that contain the document and are visible to the caller */
            fileIds: string[];
            isConfidential: boolean;
            content: components["schemas"]["DocumentContent"] | null;
            /** Format: uuid */
            createdById: string;
            /**
             * @description Display name of the creator. Null if they have none, or are no longer a member
             * @example Edith Editor
             */
            createdByName: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        DocumentContent: {
            /** @example Genehmigung.pdf */
            fileName: string | null;
            /** @example application/pdf */
            mediaType: string;
            /**
             * Format: int64
             * @description In bytes
             */
            size: number;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /**
             * Format: int32
             * @description Null if unknown or not processed yet
             */
            pageCount: number | null;
            /**
             * @description Whether searches find its text: `Pending` (not read yet), `Available`, `None` (it has no text, or its format is not read), or `Failed`
             * @enum {string}
             */
            text: "Pending" | "Available" | "None" | "Failed";
            /**
             * @description Why reading its text failed; null unless `text` is `Failed`
             * @enum {string|null}
             */
            failure: "Encrypted" | "Corrupted" | "TimeLimitExceeded" | "MemoryLimitExceeded" | "OutputLimitExceeded" | "ConverterMissing" | "Unreadable" | "ContentDamaged" | "ContentUnavailable" | null;
        };
        DocumentPage: {
            items: components["schemas"]["FoundDocument"][];
            nextCursor: string | null;
        };
        DocumentRetention: {
            /** @description Whether an active hold contains the document or one of its files */
            isHeld: boolean;
        };
        DocumentType: {
            /** Format: uuid */
            id: string;
            /** @example invoice */
            key: string;
            /** @example Rechnung */
            nameDe: string;
            /** @example Invoice */
            nameEn: string;
            fields: components["schemas"]["DocumentTypeField"][];
            isActive: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        DocumentTypeField: {
            /** @example state */
            key: string;
            /**
             * @example Enumeration
             * @enum {string}
             */
            type: "Text" | "Number" | "Date" | "Money" | "Enumeration" | "Reference";
            /** @example true */
            required: boolean;
            /** @example Stand */
            labelDe: string;
            /** @example State */
            labelEn: string;
            /**
             * @description Options of an Enumeration; null for other types. Always present.
             * @example [
             *       {
             *         "key": "open",
             *         "labelDe": "Offen",
             *         "labelEn": "Open"
             *       }
             *     ]
             */
            options?: components["schemas"]["DocumentTypeFieldOption"][] | null;
            /**
             * @description What a Reference refers to; null for other types. Always present.
             * @example null
             * @enum {string|null}
             */
            referenceTarget?: "File" | "Document" | "User" | null;
            /**
             * @description Only in responses, and only if true: the field was removed by an update; its values are kept
             * @example true
             */
            readonly isRemoved?: boolean;
        };
        DocumentTypeFieldBody: {
            /** @example state */
            key: string;
            /**
             * @description Cannot be changed later
             * @example Enumeration
             * @enum {string}
             */
            type: "Text" | "Number" | "Date" | "Money" | "Enumeration" | "Reference";
            /**
             * @description Whether documents of the type must have a value in this field
             * @example true
             */
            required: boolean;
            /** @example Stand */
            labelDe: string;
            /** @example State */
            labelEn: string;
            /**
             * @description Options of an Enumeration; null for other types
             * @example [
             *       {
             *         "key": "open",
             *         "labelDe": "Offen",
             *         "labelEn": "Open"
             *       }
             *     ]
             */
            options?: components["schemas"]["DocumentTypeFieldOptionBody"][] | null;
            /**
             * @description What a Reference refers to; null for other types
             * @example null
             * @enum {string|null}
             */
            referenceTarget?: "File" | "Document" | "User" | null;
            /**
             * @description Send the value that was read. True: a removed field stays removed. False or absent: a removed field is restored with its values. True is refused (400) in a new document type and for a field that the type never had.
             * @example false
             */
            isRemoved?: boolean;
        };
        DocumentTypeFieldOption: {
            /** @example open */
            key: string;
            /** @example Offen */
            labelDe: string;
            /** @example Open */
            labelEn: string;
        };
        DocumentTypeFieldOptionBody: {
            /** @example open */
            key: string;
            /** @example Offen */
            labelDe: string;
            /** @example Open */
            labelEn: string;
        };
        DocumentTypePage: {
            items: components["schemas"]["DocumentType"][];
            nextCursor: string | null;
        };
        DocumentVersion: {
            /**
             * Format: int32
             * @description Version number, from 1 without gaps
             */
            number: number;
            /** @description Whether this is the current version of the document */
            isNewest: boolean;
            /** @example Genehmigung.pdf */
            fileName: string | null;
            /** @example application/pdf */
            mediaType: string;
            /**
             * Format: int64
             * @description In bytes
             */
            size: number;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /**
             * Format: int32
             * @description Null if unknown or not processed yet
             */
            pageCount: number | null;
            /** @description Size of an image in pixels; null for other contents */
            image: components["schemas"]["ImageSize"] | null;
            /**
             * Format: int32
             * @description Number of words in its text; null if unknown or not processed yet
             */
            wordCount: number | null;
            /**
             * @description Why its text could not be read; null otherwise. The uploader gets a notification with this reason
             * @enum {string|null}
             */
            failure: "Encrypted" | "Corrupted" | "TimeLimitExceeded" | "MemoryLimitExceeded" | "OutputLimitExceeded" | "ConverterMissing" | "Unreadable" | "ContentDamaged" | "ContentUnavailable" | null;
            /** Format: uuid */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int32
             * @description Number of the version that was restored to create this one; null otherwise
             */
            restoredFrom: number | null;
        };
        DocumentVersionPage: {
            items: components["schemas"]["DocumentVersion"][];
            nextCursor: string | null;
        };
        Event: {
            /**
             * Format: int64
             * @description Place in the event log of the tenant. Sequences have no gaps and never change.
             */
            sequence: number;
            /**
             * Format: uuid
             * @description Id of the audit entry
             */
            id: string;
            /**
             * @description What was done: the action of the audit entry. Later versions can have more values.
             * @example FileRenamed
             * @enum {string}
             */
            type: "FileCreated" | "FileRenamed" | "FileClosed" | "FileReopened" | "FileDeleted" | "FileTypeCreated" | "FileTypeUpdated" | "FileTypeNumberingChanged" | "FileTypeRetentionChanged" | "DocumentCreated" | "DocumentUpdated" | "DocumentFiled" | "DocumentUnfiled" | "DocumentArchived" | "DocumentUnarchived" | "DocumentDeleted" | "DocumentRestored" | "DocumentPurged" | "DocumentDownloaded" | "DocumentExported" | "DocumentReprocessed" | "DocumentTagged" | "DocumentUntagged" | "ConfidentialityChanged" | "ConfidentialUserAdded" | "ConfidentialUserRemoved" | "DocumentTypeCreated" | "DocumentTypeUpdated" | "DocumentTypeDeactivated" | "DocumentTypeReactivated" | "TagCreated" | "TagRenamed" | "TagDeleted" | "SavedViewCreated" | "SavedViewUpdated" | "SavedViewDeleted" | "RoleCreated" | "RoleUpdated" | "RoleDeleted" | "MemberAdded" | "MemberRoleChanged" | "MemberRemoved" | "InvitationCreated" | "InvitationAccepted" | "InvitationDeclined" | "InvitationRevoked" | "AccessGranted" | "AccessRevoked" | "HoldCreated" | "HoldUpdated" | "HoldReleased" | "HoldItemAdded" | "HoldItemRemoved" | "DisposalCreated" | "DisposalUpdated" | "DisposalDeleted" | "DisposalSubmitted" | "DisposalApproved" | "DisposalRejected" | "DisposalCompleted" | "FileDisposed" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "AuditCheckpointSigned" | "ExportCreated" | "ExportDownloaded" | "ExportDeleted" | "TenantCreated" | "TenantSlugChanged" | "TenantRenamed" | "TenantAdministratorAdded" | "TenantSuspended" | "TenantResumed";
            /** Format: date-time */
            occurredAt: string;
            /**
             * Format: uuid
             * @description Null if the service itself did it
             */
            actorId: string | null;
            /**
             * @description Type of the object. Later versions can have more values.
             * @example File
             * @enum {string}
             */
            subjectType: "File" | "FileType" | "Document" | "DocumentType" | "Tag" | "SavedView" | "Role" | "Member" | "Invitation" | "AccessGrant" | "Hold" | "Disposal" | "Webhook" | "AuditCheckpoint" | "Export" | "Tenant";
            /** Format: uuid */
            subjectId: string;
            /**
             * @description Ids of other objects that the event is about, such as `fileId`, `tagId`, `userId` or `roleId`. Empty if there are none, and if the event is about a confidential document that the caller has no access to. Later versions can have more ids.
             * @example {
             *       "fileTypeId": "0199f7a4-6c1e-7b52-9d2e-3f0a51c7e801"
             *     }
             */
            related: {
                [key: string]: string;
            };
            /** @description Only in `AuditCheckpointSigned`: the checkpoint, a signed note. Keep it outside of the service. */
            checkpoint?: string;
        };
        EventPage: {
            items: components["schemas"]["Event"][];
            /** @description Never null. After the last event, the page has fewer items than `limit`, and the cursor later returns what came since. It advances past events that the filter left out. */
            nextCursor: string;
        };
        Excerpt: {
            /** @description The consecutive segments of the excerpt */
            segments: components["schemas"]["ExcerptSegment"][];
        };
        ExcerptSegment: {
            /**
             * @description Plain text, never HTML
             * @example Genehmigung
             */
            text: string;
            /** @description Whether this text matches `q` */
            isMatch: boolean;
        };
        Export: {
            /** Format: uuid */
            id: string;
            /** @example Neubau Feuerwache Nord */
            name: string;
            /**
             * @description Only a `Ready` export has a content. It is `Expired` after 48 hours.
             * @enum {string}
             */
            status: "Pending" | "Running" | "Ready" | "Failed" | "Expired";
            /**
             * Format: int32
             * @description Number of documents, as counted when the export was created; once it is ready, those in it
             */
            documentCount: number;
            /**
             * Format: int32
             * @description Documents that are packed
             */
            documentsDone: number;
            /**
             * Format: int64
             * @description Of the package in bytes; null until it is ready
             */
            size: number | null;
            /** Format: uuid */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null until it is ready
             */
            expiresAt: string | null;
            /**
             * @description Why the export failed; null otherwise. `NotPermitted`: its creator has lost `exports.create`. `ContentDamaged`: a stored content is missing or has changed.
             * @enum {string|null}
             */
            failure: "TooLarge" | "StorageLimitExceeded" | "NotPermitted" | "ContentDamaged" | "ServiceError" | null;
        };
        ExportPage: {
            items: components["schemas"]["Export"][];
            nextCursor: string | null;
        };
        File: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            fileTypeId: string;
            /** @example AZ-2026/0042 */
            number: string;
            /** @example Neubau Feuerwache Nord */
            name: string;
            /** @enum {string} */
            status: "Open" | "Closed";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            closedAt: string | null;
        };
        FileDocument: {
            /** Format: uuid */
            documentId: string;
            /** @example Baugenehmigung vom 20. November */
            title: string;
            /** Format: uuid */
            documentTypeId: string | null;
            /** @enum {string} */
            status: "Processing" | "Active" | "Archived" | "Deleted";
            /** Format: date-time */
            filedAt: string;
        };
        FileDocumentPage: {
            items: components["schemas"]["FileDocument"][];
            nextCursor: string | null;
        };
        FilePage: {
            items: components["schemas"]["CountedFile"][];
            nextCursor: string | null;
        };
        FileRetention: {
            /**
             * @description `None`: the type has no period. `Open`: the file is not closed. `Running`: it must be kept. `Due`: the period has ended. `InDisposal`: the file is in a disposal that is not completed.
             * @enum {string}
             */
            state: "None" | "Open" | "Running" | "Due" | "InDisposal";
            /**
             * Format: date
             * @description Last day on which the file must be kept; null while the state is `None` or `Open`
             */
            dueOn: string | null;
            /**
             * @description From the rule of the file type; null if it has no period
             * @enum {string|null}
             */
            disposition: "Destroy" | "Transfer" | "Review" | null;
            /**
             * Format: date
             * @description The file is kept at least until this day, whatever the rule of its type
             */
            keepUntil: string | null;
            /** @description Whether an active hold contains the file */
            isHeld: boolean;
        };
        FileType: {
            /** Format: uuid */
            id: string;
            /** @example construction */
            key: string;
            /** @example Bauakte */
            nameDe: string;
            /** @example Construction file */
            nameEn: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FileTypePage: {
            items: components["schemas"]["FileType"][];
            nextCursor: string | null;
        };
        FoundDocument: {
            /** Format: uuid */
            id: string;
            /** @example Baugenehmigung vom 20. November */
            title: string;
            /** Format: uuid */
            documentTypeId: string | null;
            /** @enum {string} */
            status: "Processing" | "Active" | "Archived" | "Deleted";
            /**
             * @description Values by field key: Money as objects, all other types as strings
             * @example {
             *       "betrag": {
             *         "amount": "1234.50",
             *         "currency": "EUR"
             *       },
             *       "eingang": "2026-11-20"
             *     }
             */
            fields: {
                [key: string]: string | components["schemas"]["Money"];
            };
            tagIds: string[];
            /** @description Files that contain the document and are visible to the caller */
            fileIds: string[];
            isConfidential: boolean;
            content: components["schemas"]["DocumentContent"] | null;
            /** Format: uuid */
            createdById: string;
            /**
             * @description Display name of the creator. Null if they have none, or are no longer a member
             * @example Edith Editor
             */
            createdByName: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Only with `q`: about 30 words around the match, from the text or else from title and file name; null if `q` only excludes words */
            excerpt?: components["schemas"]["Excerpt"] | null;
        };
        Hold: {
            /** Format: uuid */
            id: string;
            /** @example Rechtsstreit Seegut */
            name: string;
            /** @example Klage vom 3. März 2026, Landgericht Musterstadt */
            reason: string;
            /** @enum {string} */
            status: "Active" | "Released";
            /** Format: uuid */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            releasedAt: string | null;
        };
        HoldBody: {
            /** @example Rechtsstreit Seegut */
            name: string;
            /**
             * @description Why the files and documents must be kept
             * @example Klage vom 3. März 2026, Landgericht Musterstadt
             */
            reason: string;
        };
        HoldItem: {
            /** @enum {string} */
            subjectType: "File" | "Document";
            /**
             * Format: uuid
             * @description Id of the file or the document
             */
            subjectId: string;
            /**
             * @description Number and name of the file, or title of the document
             * @example BAU-2026-0001: Neubau Feuerwache Nord
             */
            title: string;
            /** Format: date-time */
            addedAt: string;
            /** Format: uuid */
            addedById: string;
        };
        HoldItemPage: {
            items: components["schemas"]["HoldItem"][];
            nextCursor: string | null;
        };
        HoldPage: {
            items: components["schemas"]["Hold"][];
            nextCursor: string | null;
        };
        ImageSize: {
            /**
             * Format: int32
             * @example 1240
             */
            width: number;
            /**
             * Format: int32
             * @example 1754
             */
            height: number;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            /** @example bob@example.com */
            email: string;
            /** Format: uuid */
            roleId: string;
            /** @enum {string} */
            status: "Pending" | "Accepted" | "Declined" | "Revoked" | "Expired";
            /** @example Welcome to the team! */
            message: string | null;
            /** Format: uuid */
            invitedById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            acceptedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        InvitationPage: {
            items: components["schemas"]["Invitation"][];
            nextCursor: string | null;
        };
        InvitationSecretBody: {
            /**
             * @description The secret in the invitation link
             * @example pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M
             */
            secret: string;
        };
        MeRoleResponse: {
            /** Format: uuid */
            id: string;
            /**
             * @description Identifier of a built-in role; null for other roles
             * @example editor
             */
            key: string | null;
            /** @example Editor */
            name: string;
        };
        MeTenantResponse: {
            /** Format: uuid */
            id: string;
            /**
             * @description Current slug of the tenant, even if the request used a former one
             * @example acme
             */
            slug: string;
            /** @example Acme AG */
            name: string;
        };
        MeUserResponse: {
            /** Format: uuid */
            id: string;
            /** @example alice@example.com */
            email: string | null;
            /** @example Alice Arnold */
            displayName: string | null;
        };
        Member: {
            /** Format: uuid */
            userId: string;
            /**
             * @description Null until the member calls this tenant for the first time
             * @example alice@example.com
             */
            email: string | null;
            /**
             * @description Null until the member calls this tenant for the first time
             * @example Alice Arnold
             */
            displayName: string | null;
            /**
             * @description Claim `iss` of the member’s access tokens
             * @example https://login.example.com
             */
            issuer: string;
            /** @example alice */
            subject: string;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description Time when the user became a member
             */
            createdAt: string;
        };
        MemberAccess: {
            /** @description Whether the member can read the file and has `files.update` for it, or the document and `documents.update`: by the role, or by a Write grant. The status of the file or document is not considered. */
            canWrite: boolean;
            /** @description Why the member can read it; each reason suffices. Grants are last, oldest first. */
            reasons: components["schemas"]["AccessReason"][];
            /** @description Whether there are more reasons */
            moreReasons: boolean;
            canRead: boolean;
            /** @description Every condition that fails; empty if `canRead`. `NotPermitted`: the role lacks `documents.read`. `NoGrant`: neither `files.read` nor a grant covers it, and the member did not create it. `NotOnConfidentialityList`: the document is confidential. `InBin`: the document is in the bin, and the role has neither `documents.delete` nor `documents.restore`. */
            missing: ("NotPermitted" | "NoGrant" | "NotOnConfidentialityList" | "InBin")[];
        };
        MemberPage: {
            items: components["schemas"]["Member"][];
            nextCursor: string | null;
        };
        MemberRole: {
            /** Format: uuid */
            id: string;
            /**
             * @description Identifier of a built-in role; null for other roles
             * @example editor
             */
            key: string | null;
            /** @example Editor */
            name: string;
        };
        MetadataCondition: {
            /**
             * @description Key of a field of the document type; without `documentTypeId`, of any document type that has this field
             * @example betrag
             */
            fieldKey: string;
            /**
             * @example GreaterThan
             * @enum {string}
             */
            operator: "EqualTo" | "NotEqualTo" | "Contains" | "GreaterThan" | "GreaterThanOrEqual" | "LessThan" | "LessThanOrEqual" | "IsEmpty" | "IsNotEmpty";
            /** @example 1234.50 EUR */
            value: string | null;
        };
        MetadataConditionBody: {
            /**
             * @description Key of a field of the document type; without `documentTypeId`, of any document type that has this field
             * @example betrag
             */
            fieldKey: string;
            /**
             * @example GreaterThan
             * @enum {string}
             */
            operator: "EqualTo" | "NotEqualTo" | "Contains" | "GreaterThan" | "GreaterThanOrEqual" | "LessThan" | "LessThanOrEqual" | "IsEmpty" | "IsNotEmpty";
            /**
             * @description The value to compare with: a text, a number (`"-12.5"`), a date (`"2026-11-20"`), an amount with or without a currency (`"1234.50 EUR"`), the key of an option, or the id that a Reference contains. Null for IsEmpty and IsNotEmpty.
             * @example 1234.50 EUR
             */
            value?: string | null;
        };
        Money: {
            /**
             * @description Decimal string with as many decimal places as the currency has
             * @example 1234.50
             */
            amount: string;
            /**
             * @description ISO 4217 currency code
             * @example EUR
             */
            currency: string;
        };
        MoveDocumentBody: {
            /**
             * Format: uuid
             * @description The open file that the document is in
             */
            fromFileId: string;
            /**
             * Format: uuid
             * @description Another open file, which may already contain the document
             */
            toFileId: string;
        };
        /**
         * @example {
         *       "title": "Baugenehmigung vom 20. November",
         *       "documentTypeId": null,
         *       "fields": {},
         *       "tagIds": null,
         *       "fileIds": null,
         *       "isConfidential": null
         *     }
         */
        NewDocument: {
            /** @example Baugenehmigung vom 20. November */
            title: string;
            /**
             * Format: uuid
             * @description Type of the document
             */
            documentTypeId?: string | null;
            /**
             * @description Values by field key of the document type. Text, Date (`2026-11-20`), Enumeration (key of an option) and Reference (an id): a string. Number: a decimal string, or a JSON number with at most 15 significant digits. Money: an object with amount and currency. Null: no value.
             * @example {}
             */
            fields?: {
                [key: string]: (string | null) | number | components["schemas"]["Money"];
            } | null;
            /** @description Tags of the document */
            tagIds?: string[] | null;
            /** @description Open files to file the document into */
            fileIds?: string[] | null;
            /** @description Whether only users on the access list can see the document; the list starts with the creator */
            isConfidential?: boolean | null;
        };
        NextNumber: {
            /** @example BAU-2026-0412 */
            number: string;
        };
        Notification: {
            /** Format: uuid */
            id: string;
            /** @example FileClosed */
            type: string;
            /**
             * @example {
             *       "fileId": "0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d",
             *       "fileNumber": "AZ-2026/0042",
             *       "fileName": "Neubau Feuerwache Nord",
             *       "actorName": "Alice Arnold"
             *     }
             */
            parameters: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            readAt: string | null;
        };
        NotificationPage: {
            items: components["schemas"]["Notification"][];
            nextCursor: string | null;
        };
        NotificationPreferences: {
            /**
             * @example de
             * @enum {string}
             */
            language: "en" | "de";
            /** @description When mail is sent, for every type of notification */
            mail: {
                /** @enum {string} */
                DocumentProcessingFailed: "off" | "immediate" | "daily";
                /** @enum {string} */
                DocumentFiled: "off" | "immediate" | "daily";
                /** @enum {string} */
                DocumentUnfiled: "off" | "immediate" | "daily";
                /** @enum {string} */
                FileClosed: "off" | "immediate" | "daily";
                /** @enum {string} */
                FileReopened: "off" | "immediate" | "daily";
                /** @enum {string} */
                ConfidentialAccessGranted: "off" | "immediate" | "daily";
                /** @enum {string} */
                ConfidentialAccessRevoked: "off" | "immediate" | "daily";
                /** @enum {string} */
                ConfidentialUserAdded: "off" | "immediate" | "daily";
                /** @enum {string} */
                AccessGranted: "off" | "immediate" | "daily";
                /** @enum {string} */
                AccessRevoked: "off" | "immediate" | "daily";
                /** @enum {string} */
                InvitationAccepted: "off" | "immediate" | "daily";
                /** @enum {string} */
                RoleChanged: "off" | "immediate" | "daily";
                /** @enum {string} */
                ExportReady: "off" | "immediate" | "daily";
                /** @enum {string} */
                ExportFailed: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalSubmitted: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalApproved: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalRejected: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalCompleted: "off" | "immediate" | "daily";
                /** @enum {string} */
                WebhookDisabled: "off" | "immediate" | "daily";
            };
        };
        Numbering: {
            /**
             * @description Exactly one `{seq}`, or `{seq:4}` with at least four digits; `{yyyy}`, `{yy}` and `{mm}` for year and month; other characters stay as they are. Null or absent: files of this type get no numbers
             * @example BAU-{yyyy}-{seq:4}
             */
            pattern: string | null;
            /**
             * Format: int64
             * @description The number with which the counter of today continues; absent if there is no counter yet
             * @example 412
             */
            next?: number;
        };
        OwnTenant: {
            /** Format: uuid */
            id: string;
            /**
             * @description Current slug of the tenant
             * @example acme
             */
            slug: string;
            /** @example Acme AG */
            name: string;
            /** @description The role of the caller in the tenant */
            role: components["schemas"]["MeRoleResponse"];
        };
        OwnTenantPage: {
            items: components["schemas"]["OwnTenant"][];
            nextCursor: string | null;
        };
        Permission: {
            /** @example files.read */
            key: string;
            /** @example See all files */
            description: string;
        };
        ProblemDetails: {
            /** @example /problems/file.number-taken */
            type?: string | null;
            /** @example File number taken */
            title?: string | null;
            /**
             * Format: int32
             * @example 409
             */
            status?: number | null;
            /** @example Another file of the tenant has this number. */
            detail?: string | null;
            /** @example urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d */
            instance?: string | null;
        };
        Reader: {
            /** @description Whether the member can read the file and has `files.update` for it, or the document and `documents.update`: by the role, or by a Write grant. The status of the file or document is not considered. */
            canWrite: boolean;
            /** @description Why the member can read it; each reason suffices. Grants are last, oldest first. */
            reasons: components["schemas"]["AccessReason"][];
            /** @description Whether there are more reasons */
            moreReasons: boolean;
            /** Format: uuid */
            userId: string;
            /**
             * @description Null until the member calls this tenant for the first time
             * @example Alice Arnold
             */
            displayName: string | null;
        };
        ReaderPage: {
            items: components["schemas"]["Reader"][];
            nextCursor: string | null;
        };
        RejectDisposalBody: {
            /** @example Die Akten des Jahres 2015 werden noch gebraucht */
            reason: string;
        };
        RenameFileBody: {
            /** @example Neubau Feuerwache Nord, zweiter Bauabschnitt */
            name: string;
        };
        RenameTagBody: {
            /**
             * @description Unique in the tenant, ignoring case
             * @example Sehr dringend
             */
            name: string;
        };
        Retention: {
            /**
             * @description How long files are kept after their closing: an ISO 8601 duration of whole years or months, 1 month to 100 years. Null: for ever
             * @example P10Y
             */
            period: string | null;
            /**
             * @description When the period starts: on the day of closing, or on 31 December of its year, in the time zone of the service
             * @enum {string}
             */
            startsAt: "Closing" | "EndOfYearOfClosing";
            /**
             * @description What is to be done with a file that is due: destroy it, transfer it to an archive, or review it
             * @enum {string}
             */
            disposition: "Destroy" | "Transfer" | "Review";
        };
        Role: {
            /** Format: uuid */
            id: string;
            /**
             * @description Identifier of a built-in role; null for other roles
             * @example null
             */
            key: string | null;
            /** @example Registry clerk */
            name: string;
            /**
             * @description Whether the role is built in; built-in roles cannot be changed or deleted
             * @example false
             */
            isBuiltIn: boolean;
            /**
             * @description Permissions of the role. Later versions can have more values.
             * @example [
             *       "files.read",
             *       "documents.read"
             *     ]
             */
            permissions: ("files.read" | "files.create" | "files.update" | "files.close" | "files.reopen" | "files.delete" | "fileTypes.read" | "fileTypes.manage" | "documents.read" | "documents.create" | "documents.update" | "documents.file" | "documents.archive" | "documents.delete" | "documents.restore" | "documents.confidential.manage" | "documentTypes.read" | "documentTypes.manage" | "tags.read" | "tags.manage" | "savedViews.manage" | "members.read" | "members.manage" | "invitations.manage" | "accessGrants.read" | "accessGrants.manage" | "roles.read" | "roles.manage" | "holds.manage" | "disposals.manage" | "disposals.approve" | "auditLog.read" | "exports.create" | "webhooks.manage" | "settings.manage")[];
        };
        RolePage: {
            items: components["schemas"]["Role"][];
            nextCursor: string | null;
        };
        SavedView: {
            /** Format: uuid */
            id: string;
            /** @example Rechnungen über 1000 € */
            name: string;
            filter: components["schemas"]["SavedViewFilter"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SavedViewFilter: {
            /** Format: uuid */
            documentTypeId: string | null;
            /** Format: uuid */
            fileId: string | null;
            tagIds: string[];
            metadataConditions: components["schemas"]["MetadataCondition"][];
        };
        SavedViewFilterBody: {
            /** Format: uuid */
            documentTypeId?: string | null;
            /** Format: uuid */
            fileId?: string | null;
            /** @description The document must have all of these tags */
            tagIds?: string[];
            /** @description The document must meet all of these conditions */
            metadataConditions?: components["schemas"]["MetadataConditionBody"][];
        };
        SearchDocumentsBody: {
            /** @description Null or absent: all documents */
            filter?: components["schemas"]["SavedViewFilterBody"] | null;
            /**
             * @description Only documents whose content has this `text`: `None` and `Failed` find what searches by words cannot find
             * @enum {string|null}
             */
            text?: "Pending" | "Available" | "None" | "Failed" | null;
            /**
             * Format: uuid
             * @description Id of a saved view of the caller; documents must also match its filter
             */
            savedViewId?: string | null;
            /**
             * @description Only documents with this status; absent: all except those in the bin
             * @enum {string|null}
             */
            status?: "Processing" | "Active" | "Archived" | "Deleted" | null;
            /**
             * Format: date-time
             * @description Only documents created at or after this time
             */
            createdFrom?: string | null;
            /**
             * Format: date-time
             * @description Only documents created before this time
             */
            createdTo?: string | null;
            /**
             * @description Search words. Title, file name, values or text must contain all of them, in any German or English word form. The complete number of a visible file matches the documents in it. "Words in quotes" must occur exactly and in this order. A leading `-` excludes a word or phrase. A word with `*` at its end matches all words that start with it, at most four of them in a query; so does the last word, unless a blank follows it. A word of at least five letters also matches compounds that contain it. Empty: all documents; other texts without a word are invalid.
             * @example Brandschutz "keine Bedenken" -Entwurf
             */
            q?: string | null;
            /** @description Sort order; a leading `-` means descending. `fields.` and the key of a field sort by its values and need `documentTypeId`; documents without a value come last. Titles and texts are compared ignoring case. Cannot be combined with `order`. Absent: newest first */
            sort?: string | null;
            /**
             * @description `relevance` sorts by relevance. It requires `q` and lists at most the newest 1,000 matches of whole words, then at most the newest 1,000 with compounds
             * @default newest
             * @enum {string|null}
             */
            order?: "newest" | "relevance" | null;
            /** @description `nextCursor` of the previous page */
            cursor?: string | null;
            /**
             * Format: int32
             * @description Maximum number of items on the page
             * @default 50
             */
            limit?: number | null;
        };
        Suggestion: {
            /** @enum {string} */
            kind: "Document" | "Word" | "Tag" | "File";
            /**
             * @description The title of a document, the name of a tag, the number and name of a file, or a word as a title or text has it; rarely in lower case without marks
             * @example Grundsteuerbescheid 2026
             */
            text: string;
            /**
             * Format: uuid
             * @description Absent for words
             */
            id?: string;
        };
        Suggestions: {
            /** @description Grouped by kind */
            items: components["schemas"]["Suggestion"][];
        };
        Tag: {
            /** Format: uuid */
            id: string;
            /** @example Dringend */
            name: string;
            /** Format: date-time */
            createdAt: string;
        };
        TagPage: {
            items: components["schemas"]["Tag"][];
            nextCursor: string | null;
        };
        TenantMe: {
            user: components["schemas"]["MeUserResponse"];
            tenant: components["schemas"]["MeTenantResponse"];
            role: components["schemas"]["MeRoleResponse"];
            /**
             * @description Permissions of the role. Later versions can have more values.
             * @example [
             *       "files.read",
             *       "tags.read"
             *     ]
             */
            permissions: ("files.read" | "files.create" | "files.update" | "files.close" | "files.reopen" | "files.delete" | "fileTypes.read" | "fileTypes.manage" | "documents.read" | "documents.create" | "documents.update" | "documents.file" | "documents.archive" | "documents.delete" | "documents.restore" | "documents.confidential.manage" | "documentTypes.read" | "documentTypes.manage" | "tags.read" | "tags.manage" | "savedViews.manage" | "members.read" | "members.manage" | "invitations.manage" | "accessGrants.read" | "accessGrants.manage" | "roles.read" | "roles.manage" | "holds.manage" | "disposals.manage" | "disposals.approve" | "auditLog.read" | "exports.create" | "webhooks.manage" | "settings.manage")[];
        };
        TenantSlug: {
            /** @example acme */
            slug: string;
        };
        UpdateDisposalBody: {
            /** @description Receipt of the archive */
            reference?: string | null;
            /** Format: date */
            keepUntil?: string | null;
            /** @example Aussonderung 2026 */
            name: string;
            /**
             * @description For all files without a decision: `Destroy`; `Transferred`, with the receipt of the archive in `reference`; or `Keep`, at least until `keepUntil`
             * @enum {string|null}
             */
            decision?: "Destroy" | "Transferred" | "Keep" | null;
        };
        UpdateDocumentBody: {
            /**
             * @description Absent: the title stays unchanged. Null or an empty text is refused (400).
             * @example Baugenehmigung vom 20. November
             */
            title?: string;
            /**
             * Format: uuid
             * @description Absent: the type stays unchanged. Null: removes the type. A new type (or null) without `fields` keeps the values and is refused (400) if one of them is not valid for the new type.
             */
            documentTypeId?: string | null;
            /**
             * @description Values by field key of the document type. Text, Date (`2026-11-20`), Enumeration (key of an option) and Reference (an id): a string. Number: a decimal string, or a JSON number with at most 15 significant digits. Money: an object with amount and currency. Null: no value. Absent: the values stay unchanged. Otherwise replaces all values; a field that is missing has no value afterwards. Null or empty: removes all values.
             * @example {}
             */
            fields?: {
                [key: string]: (string | null) | number | components["schemas"]["Money"];
            } | null;
        };
        UpdateDocumentTypeBody: {
            /**
             * @description Name in German
             * @example Rechnung
             */
            nameDe: string;
            /**
             * @description Name in English
             * @example Invoice
             */
            nameEn: string;
            /** @description All live fields in display order, at most 100. A field that is missing is removed; its values are kept. A removed field stays removed if it is sent with `isRemoved: true`; sent without it, with the same key and type, it is restored. So a response of GetDocumentType can be sent back unchanged. Null or absent: all fields stay unchanged. */
            fields?: components["schemas"]["DocumentTypeFieldBody"][] | null;
        };
        UpdateFileTypeBody: {
            /**
             * @description Name in German
             * @example Bauakte
             */
            nameDe: string;
            /**
             * @description Name in English
             * @example Construction file
             */
            nameEn: string;
        };
        UpdateNotificationPreferencesBody: {
            /**
             * @description Language of the mail
             * @example de
             * @enum {string}
             */
            language: "en" | "de";
            /**
             * @description When mail is sent, by type of notification. Absent types are off.
             * @example {
             *       "DocumentProcessingFailed": "immediate",
             *       "DocumentFiled": "daily"
             *     }
             */
            mail: {
                /** @enum {string} */
                DocumentProcessingFailed?: "off" | "immediate" | "daily";
                /** @enum {string} */
                DocumentFiled?: "off" | "immediate" | "daily";
                /** @enum {string} */
                DocumentUnfiled?: "off" | "immediate" | "daily";
                /** @enum {string} */
                FileClosed?: "off" | "immediate" | "daily";
                /** @enum {string} */
                FileReopened?: "off" | "immediate" | "daily";
                /** @enum {string} */
                ConfidentialAccessGranted?: "off" | "immediate" | "daily";
                /** @enum {string} */
                ConfidentialAccessRevoked?: "off" | "immediate" | "daily";
                /** @enum {string} */
                ConfidentialUserAdded?: "off" | "immediate" | "daily";
                /** @enum {string} */
                AccessGranted?: "off" | "immediate" | "daily";
                /** @enum {string} */
                AccessRevoked?: "off" | "immediate" | "daily";
                /** @enum {string} */
                InvitationAccepted?: "off" | "immediate" | "daily";
                /** @enum {string} */
                RoleChanged?: "off" | "immediate" | "daily";
                /** @enum {string} */
                ExportReady?: "off" | "immediate" | "daily";
                /** @enum {string} */
                ExportFailed?: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalSubmitted?: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalApproved?: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalRejected?: "off" | "immediate" | "daily";
                /** @enum {string} */
                DisposalCompleted?: "off" | "immediate" | "daily";
                /** @enum {string} */
                WebhookDisabled?: "off" | "immediate" | "daily";
            };
        };
        UpdateNumberingBody: {
            /**
             * @description Exactly one `{seq}`, or `{seq:4}` with at least four digits; `{yyyy}`, `{yy}` and `{mm}` for year and month; other characters stay as they are. Null or absent: files of this type get no numbers
             * @example BAU-{yyyy}-{seq:4}
             */
            pattern?: string | null;
            /**
             * Format: int64
             * @description The number with which the counter of today continues. Must be greater than all numbers it has given. Absent: the counter stays; a new one starts after the greatest number in use.
             */
            next?: number | null;
        };
        UpdateRetentionBody: {
            /**
             * @description How long files are kept after their closing: an ISO 8601 duration of whole years or months, 1 month to 100 years. Null: for ever. Absent: null
             * @example P10Y
             */
            period?: string | null;
            /**
             * @description When the period starts: on the day of closing, or on 31 December of its year, in the time zone of the service
             * @example EndOfYearOfClosing
             * @enum {string}
             */
            startsAt: "Closing" | "EndOfYearOfClosing";
            /**
             * @description What is to be done with a file that is due: destroy it, transfer it to an archive, or review it
             * @enum {string}
             */
            disposition: "Destroy" | "Transfer" | "Review";
        };
        UpdateRoleBody: {
            /**
             * @description Unique in the tenant, ignoring case
             * @example Front desk
             */
            name: string;
            /**
             * @description New permissions of the role. Null or absent: the permissions stay unchanged. Empty: removes all.
             * @example [
             *       "files.read",
             *       "documents.read"
             *     ]
             */
            permissions?: ("files.read" | "files.create" | "files.update" | "files.close" | "files.reopen" | "files.delete" | "fileTypes.read" | "fileTypes.manage" | "documents.read" | "documents.create" | "documents.update" | "documents.file" | "documents.archive" | "documents.delete" | "documents.restore" | "documents.confidential.manage" | "documentTypes.read" | "documentTypes.manage" | "tags.read" | "tags.manage" | "savedViews.manage" | "members.read" | "members.manage" | "invitations.manage" | "accessGrants.read" | "accessGrants.manage" | "roles.read" | "roles.manage" | "holds.manage" | "disposals.manage" | "disposals.approve" | "auditLog.read" | "exports.create" | "webhooks.manage" | "settings.manage")[] | null;
        };
        UpdateSavedViewBody: {
            /**
             * @description Unique among the saved views of the caller, ignoring case
             * @example Rechnungen über 5000 €
             */
            name: string;
            /** @description Null or absent: the filter stays unchanged */
            filter?: components["schemas"]["SavedViewFilterBody"] | null;
        };
        UpdateWebhookBody: {
            /**
             * @description URL of the receiver. It must begin with https:// and have no user and password. The service connects to public addresses only.
             * @example https://receiver.example/events
             */
            url: string;
            /**
             * @description What the webhook is for; null or absent for none
             * @example Copy of the file list in the citizen portal
             */
            description?: string | null;
            /**
             * @description Types of events to deliver; empty or absent for all, including those of later versions
             * @example [
             *       "FileCreated",
             *       "FileClosed"
             *     ]
             */
            types?: ("FileCreated" | "FileRenamed" | "FileClosed" | "FileReopened" | "FileDeleted" | "FileTypeCreated" | "FileTypeUpdated" | "FileTypeNumberingChanged" | "FileTypeRetentionChanged" | "DocumentCreated" | "DocumentUpdated" | "DocumentFiled" | "DocumentUnfiled" | "DocumentArchived" | "DocumentUnarchived" | "DocumentDeleted" | "DocumentRestored" | "DocumentPurged" | "DocumentDownloaded" | "DocumentExported" | "DocumentReprocessed" | "DocumentTagged" | "DocumentUntagged" | "ConfidentialityChanged" | "ConfidentialUserAdded" | "ConfidentialUserRemoved" | "DocumentTypeCreated" | "DocumentTypeUpdated" | "DocumentTypeDeactivated" | "DocumentTypeReactivated" | "TagCreated" | "TagRenamed" | "TagDeleted" | "SavedViewCreated" | "SavedViewUpdated" | "SavedViewDeleted" | "RoleCreated" | "RoleUpdated" | "RoleDeleted" | "MemberAdded" | "MemberRoleChanged" | "MemberRemoved" | "InvitationCreated" | "InvitationAccepted" | "InvitationDeclined" | "InvitationRevoked" | "AccessGranted" | "AccessRevoked" | "HoldCreated" | "HoldUpdated" | "HoldReleased" | "HoldItemAdded" | "HoldItemRemoved" | "DisposalCreated" | "DisposalUpdated" | "DisposalDeleted" | "DisposalSubmitted" | "DisposalApproved" | "DisposalRejected" | "DisposalCompleted" | "FileDisposed" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "AuditCheckpointSigned" | "ExportCreated" | "ExportDownloaded" | "ExportDeleted" | "TenantCreated" | "TenantSlugChanged" | "TenantRenamed" | "TenantAdministratorAdded" | "TenantSuspended" | "TenantResumed")[];
            /**
             * @description `Disabled` stops the deliveries
             * @example Active
             * @enum {string}
             */
            status: "Active" | "Disabled";
        };
        UploadedDocument: {
            /** Format: uuid */
            id: string;
            /** @example Baugenehmigung vom 20. November */
            title: string;
            /** Format: uuid */
            documentTypeId: string | null;
            /** @enum {string} */
            status: "Processing" | "Active" | "Archived" | "Deleted";
            /**
             * @description Values by field key: Money as objects, all other types as strings
             * @example {
             *       "betrag": {
             *         "amount": "1234.50",
             *         "currency": "EUR"
             *       },
             *       "eingang": "2026-11-20"
             *     }
             */
            fields: {
                [key: string]: string | components["schemas"]["Money"];
            };
            tagIds: string[];
            /** @description Files that contain the document and are visible to the caller */
            fileIds: string[];
            isConfidential: boolean;
            content: components["schemas"]["DocumentContent"] | null;
            /** Format: uuid */
            createdById: string;
            /**
             * @description Display name of the creator. Null if they have none, or are no longer a member
             * @example Edith Editor
             */
            createdByName: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Other documents with the same current content that the caller can read, newest first. Only the response to an upload contains it */
            duplicateIds: string[];
        };
        UserName: {
            /** Format: uuid */
            userId: string;
            /**
             * @description Null if the user has none, or until the member calls this tenant for the first time
             * @example Alice Arnold
             */
            displayName: string | null;
        };
        ValidationProblemDetails: {
            /** @example /problems/file.number-taken */
            type?: string | null;
            /** @example File number taken */
            title?: string | null;
            /**
             * Format: int32
             * @example 409
             */
            status?: number | null;
            /** @example Another file of the tenant has this number. */
            detail?: string | null;
            /** @example urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d */
            instance?: string | null;
            /**
             * @example {
             *       "name": [
             *         "must not be empty"
             *       ]
             *     }
             */
            errors?: {
                [key: string]: string[];
            };
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            /** @example https://receiver.example/events */
            url: string;
            /** @example Copy of the file list in the citizen portal */
            description: string | null;
            /**
             * @description Types of events that are delivered; empty for all
             * @example [
             *       "FileCreated",
             *       "FileClosed"
             *     ]
             */
            types: string[];
            /** @enum {string} */
            status: "Active" | "Disabled";
            /**
             * @description Only for the status Disabled. Manual: by a request; Gone: the receiver answered 410; Failing: deliveries failed for five days; CreatorLostRight: the creator left or lost `auditLog.read`.
             * @enum {string|null}
             */
            disabledReason: "Manual" | "Gone" | "Failing" | "CreatorLostRight" | null;
            /**
             * Format: uuid
             * @description User whose rights decide what is delivered: who created the webhook or last changed its URL
             */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Sequence of the event; null for a test
             * @example 1042
             */
            sequence: number | null;
            /**
             * @description Type of the event
             * @example FileCreated
             */
            type: string;
            /**
             * @description Failed: it is not retried any more
             * @enum {string}
             */
            status: "Pending" | "Delivered" | "Failed";
            /**
             * Format: int32
             * @example 1
             */
            attempts: number;
            /**
             * Format: int32
             * @description Status of the last answer; null if there was none
             * @example 503
             */
            lastStatusCode: number | null;
            /**
             * @description Why the last attempt failed; null if it succeeded
             * @example BadStatus
             * @enum {string|null}
             */
            lastError: "AddressRefused" | "ConnectionFailed" | "TlsFailed" | "Timeout" | "BadStatus" | "Redirect" | null;
            /**
             * Format: int32
             * @description Duration of the last attempt in milliseconds
             * @example 120
             */
            lastDurationMs: number | null;
            /**
             * Format: date-time
             * @description Null if no attempt follows
             */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            nextCursor: string | null;
        };
        WebhookEvent: {
            /**
             * Format: uuid
             * @description Id of the audit entry
             */
            id: string;
            /** Format: date-time */
            occurredAt: string;
            /**
             * Format: uuid
             * @description Null if the service itself did it
             */
            actorId: string | null;
            /**
             * @description Type of the object. Later versions can have more values.
             * @example File
             * @enum {string}
             */
            subjectType: "File" | "FileType" | "Document" | "DocumentType" | "Tag" | "SavedView" | "Role" | "Member" | "Invitation" | "AccessGrant" | "Hold" | "Disposal" | "Webhook" | "AuditCheckpoint" | "Export" | "Tenant";
            /** Format: uuid */
            subjectId: string;
            /**
             * @description Ids of other objects that the event is about, such as `fileId`, `tagId`, `userId` or `roleId`. Empty if there are none, and if the event is about a confidential document that the caller has no access to. Later versions can have more ids.
             * @example {
             *       "fileTypeId": "0199f7a4-6c1e-7b52-9d2e-3f0a51c7e801"
             *     }
             */
            related: {
                [key: string]: string;
            };
            /** @description Only in `AuditCheckpointSigned`: the checkpoint, a signed note. Keep it outside of the service. */
            checkpoint?: string;
            /**
             * Format: int64
             * @description Place in the event log of the tenant. Null for a test.
             * @example 1042
             */
            sequence: number | null;
            /**
             * @description A type of events, or `WebhookTest`. Later versions can have more values.
             * @example FileRenamed
             */
            type: string;
            /** Format: uuid */
            tenantId: string;
        };
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            nextCursor: string | null;
        };
        WebhookPayload: {
            /**
             * @description `type` of the event
             * @example FileRenamed
             */
            type: string;
            /**
             * Format: date-time
             * @description Time of the event
             */
            timestamp: string;
            data: components["schemas"]["WebhookEvent"];
        };
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            /** @example https://receiver.example/events */
            url: string;
            /** @example Copy of the file list in the citizen portal */
            description: string | null;
            /**
             * @description Types of events that are delivered; empty for all
             * @example [
             *       "FileCreated",
             *       "FileClosed"
             *     ]
             */
            types: string[];
            /** @enum {string} */
            status: "Active" | "Disabled";
            /**
             * @description Only for the status Disabled. Manual: by a request; Gone: the receiver answered 410; Failing: deliveries failed for five days; CreatorLostRight: the creator left or lost `auditLog.read`.
             * @enum {string|null}
             */
            disabledReason: "Manual" | "Gone" | "Failing" | "CreatorLostRight" | null;
            /**
             * Format: uuid
             * @description User whose rights decide what is delivered: who created the webhook or last changed its URL
             */
            createdById: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description Returned only once. Key of the signatures, in the form of Standard Webhooks.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret?: string;
        };
    };
    responses: {
        /** @description Invalid values; `errors` names each of them (`request.invalid`) */
        InvalidParameters: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.invalid",
                 *       "title": "The request is not valid",
                 *       "status": 400,
                 *       "detail": "Some values of the request are invalid; errors lists each of them.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d",
                 *       "errors": {
                 *         "name": [
                 *           "must not be empty"
                 *         ]
                 *       }
                 *     }
                 */
                "application/problem+json": components["schemas"]["ValidationProblemDetails"];
            };
        };
        /** @description Invalid values; `errors` names each of them (`request.invalid`, `request.malformed-body`) */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.invalid",
                 *       "title": "The request is not valid",
                 *       "status": 400,
                 *       "detail": "Some values of the request are invalid; errors lists each of them.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d",
                 *       "errors": {
                 *         "name": [
                 *           "must not be empty"
                 *         ]
                 *       }
                 *     }
                 */
                "application/problem+json": components["schemas"]["ValidationProblemDetails"];
            };
        };
        /** @description No access token, or an invalid one (`authentication.required`) */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/authentication.required",
                 *       "title": "Authentication required",
                 *       "status": 401,
                 *       "detail": "Send a valid access token as a bearer token.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description No access to the tenant, or a permission is missing (`tenant.no-access`, `tenant.suspended`) */
        NoAccess: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/tenant.no-access",
                 *       "title": "No access to this tenant",
                 *       "status": 403,
                 *       "detail": "The tenant does not exist, or you are not a member of it.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description No access to the tenant, or a permission is missing (`permission.missing`, `tenant.no-access`, `tenant.suspended`) */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/permission.missing",
                 *       "title": "Permission missing",
                 *       "status": 403,
                 *       "detail": "Your role does not allow this operation.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description No access to the tenant, or a permission is missing (`permission.missing`, `tenant.no-access`, `tenant.suspended`, `permission.escalation`) */
        ForbiddenEscalation: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/permission.missing",
                 *       "title": "Permission missing",
                 *       "status": 403,
                 *       "detail": "Your role does not allow this operation.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description Not found, or not visible to the caller (`resource.not-found`) */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/resource.not-found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "Not found, or not visible to you.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description None of the media types in `Accept` is available (`request.not-acceptable`) */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.not-acceptable",
                 *       "title": "Not acceptable",
                 *       "status": 406,
                 *       "detail": "None of the media types in Accept is available.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The resource does not meet the condition in `If-Match` or `If-None-Match` (`request.precondition-failed`) */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.precondition-failed",
                 *       "title": "Precondition failed",
                 *       "status": 412,
                 *       "detail": "The resource has changed since the entity tag in If-Match was read, or has an entity tag that If-None-Match excludes.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The body is too large (`request.too-large`) */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.too-large",
                 *       "title": "Request too large",
                 *       "status": 413,
                 *       "detail": "The body is too large.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The operation does not accept this media type (`request.unsupported-media-type`) */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.unsupported-media-type",
                 *       "title": "Unsupported media type",
                 *       "status": 415,
                 *       "detail": "This operation does not accept the media type of the body.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The content does not have the requested range (`content.range-not-satisfiable`) */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Content-Range": components["headers"]["Content-Range"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/content.range-not-satisfiable",
                 *       "title": "Range not satisfiable",
                 *       "status": 416,
                 *       "detail": "The content does not have the requested range.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description Too many requests; `Retry-After` says when to retry (`request.rate-limited`) */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.rate-limited",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Too many requests. Try again after the number of seconds in the Retry-After header.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The header fields of the request are too large (`request.headers-too-large`) */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/request.headers-too-large",
                 *       "title": "Header fields too large",
                 *       "status": 431,
                 *       "detail": "The header fields of the request are too large.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description Internal error; the request id identifies it in the log (`service.error`) */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/service.error",
                 *       "title": "Internal error",
                 *       "status": 500,
                 *       "detail": "The service failed to process the request. Its log has the cause under the request id.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The service is unavailable; `Retry-After` says when to retry (`service.unavailable`) */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/service.unavailable",
                 *       "title": "Service unavailable",
                 *       "status": 503,
                 *       "detail": "The service is temporarily unavailable. Try again after the number of seconds in the Retry-After header.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /** @description The storage is full, or the tenant has used its quota (`content.quota-exceeded`, `content.storage-full`) */
        InsufficientStorage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Content-Language": components["headers"]["Content-Language"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/content.quota-exceeded",
                 *       "title": "Storage quota exceeded",
                 *       "status": 507,
                 *       "detail": "The tenant has used all of its storage.",
                 *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request, as in logs and problem documents */
        "X-Request-Id": string;
        /**
         * @description The rate limit: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers)
         * @example "caller";q=100;w=10
         */
        "RateLimit-Policy": string;
        /**
         * @description Remaining requests: `r` now, one more in `t` seconds
         * @example "caller";r=99;t=1
         */
        RateLimit: string;
        /**
         * @description Seconds to wait before the next attempt
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description The challenge (RFC 6750)
         * @example Bearer realm="filing-service"
         */
        "WWW-Authenticate": string;
        /** @description Language of the texts: `en`, or `de` if `Accept-Language` prefers it */
        "Content-Language": "en" | "de";
        /**
         * @description Entity tag of the resource; send it back in `If-Match` or `If-None-Match`
         * @example "Jc0gVdDgYV3mEMmCBQGPXw"
         */
        ETag: string;
        /**
         * @description Path of the created resource
         * @example /api/v1/t/demo/files/0199f7a4-6c1e-7b52-9d2e-3f1c5a7b9d0e
         */
        Location: string;
        /**
         * @description URL of the next page with `rel="next"` (RFC 8288); absent on the last page
         * @example <https://filing.example/api/v1/t/demo/files?status=Open&cursor=pZ4>; rel="next"
         */
        Link: string;
        /** @description Byte ranges of the content can be requested */
        "Accept-Ranges": "bytes";
        /**
         * @description Range of the content in this response, and size of the content
         * @example bytes 0-99/1234
         */
        "Content-Range": string;
        /**
         * @description Pages whose text is from character recognition (OCR), or `none`
         * @example 1-3, 7
         */
        "Recognised-Pages": string;
        /**
         * @description File name of the content (RFC 6266)
         * @example attachment; filename="bescheid.pdf"
         */
        "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ListFiles: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Only files of this type */
                fileTypeId?: string;
                /** @description Only files with this status */
                status?: "Open" | "Closed";
                /** @description Search text. Three or more characters match any part of the number or name; fewer match the start of the number or of a word of the name. Ignores case and diacritics. */
                q?: string;
                /** @description Only files created at or after this time */
                createdFrom?: string;
                /** @description Only files created before this time */
                createdTo?: string;
                /** @description Only files closed at or after this time */
                closedFrom?: string;
                /** @description Only files closed before this time */
                closedTo?: string;
                /** @description Order; a leading `-` means descending, `-createdAt` is the default. By `number`, digits count as numbers: A-9 comes before A-10. By `closedAt`, open files come last, newest first. */
                sort?: "number" | "-number" | "name" | "-name" | "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "closedAt" | "-closedAt";
                /** @description `counts`: with `documentCount`, the documents that the caller sees in the file, at most 1000 */
                include?: "counts"[];
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-4eac-7141-9238-78989ab81f2b",
                     *           "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *           "number": "AZ-2026/0042",
                     *           "name": "Neubau Feuerwache Nord",
                     *           "status": "Open",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "updatedAt": "2026-11-20T08:15:30.123Z",
                     *           "closedAt": null,
                     *           "documentCount": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                 *       "number": "AZ-2026/0042",
                 *       "name": "Neubau Feuerwache Nord"
                 *     }
                 */
                "application/json": components["schemas"]["CreateFileBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "number": "AZ-2026/0042",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Open",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`file.number-taken`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file.number-taken",
                     *       "title": "File number taken",
                     *       "status": 409,
                     *       "detail": "Another file of the tenant has this number.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetFile: {
        parameters: {
            query?: {
                /** @description `counts`: with `documentCount`, the documents that the caller sees in the file, at most 10000. The entity tag is then no value for `If-Match`. */
                include?: "counts"[];
            };
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-4eac-7141-9238-78989ab81f2b",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "number": "AZ-2026/0042",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Open",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "closedAt": null,
                     *       "documentCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CountedFile"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RenameFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Neubau Feuerwache Nord, zweiter Bauabschnitt"
                 *     }
                 */
                "application/json": components["schemas"]["RenameFileBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "number": "AZ-2026/0042",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Open",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`file.not-empty`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file.not-empty",
                     *       "title": "File not empty",
                     *       "status": 409,
                     *       "detail": "Only an open file without documents can be deleted. Documents in the bin count.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CloseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "number": "AZ-2026/0042",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Open",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`file.already-closed`, `file.documents-processing`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file.already-closed",
                     *       "title": "File already closed",
                     *       "status": 409,
                     *       "detail": "The file is already closed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ReopenFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "number": "AZ-2026/0042",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Open",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`file.already-open`, `disposal.running`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file.already-open",
                     *       "title": "File already open",
                     *       "status": 409,
                     *       "detail": "The file is already open.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateNumberedFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Neubau Feuerwache Nord"
                 *     }
                 */
                "application/json": components["schemas"]["CreateNumberedFileBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "number": "AZ-2026/0042",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Open",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "closedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`numbering.none`, `numbering.exhausted`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/numbering.none",
                     *       "title": "No numbering",
                     *       "status": 409,
                     *       "detail": "The file type has no pattern for numbers.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    BulkChangeDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "Tag",
                 *       "documentIds": [
                 *         "0199f7a4-43cc-723f-9a52-b87b4cc1d02b"
                 *       ],
                 *       "tagIds": [
                 *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                 *       ],
                 *       "fileIds": null,
                 *       "fromFileId": null,
                 *       "toFileId": null
                 *     }
                 */
                "application/json": components["schemas"]["BulkChangeBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "documentId": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *           "outcome": "Done",
                     *           "problem": {
                     *             "type": "/problems/document.archived",
                     *             "title": "Document archived",
                     *             "status": 409,
                     *             "detail": "An archived document cannot be edited or tagged."
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkChange"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/request.idempotency-conflict",
                     *       "title": "Idempotency key reused",
                     *       "status": 409,
                     *       "detail": "This Idempotency-Key was used for another request within the last 24 hours.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListDocuments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Only documents of this type */
                documentTypeId?: string;
                /** @description Only documents in this file */
                fileId?: string;
                /** @description Only documents with all of these tags */
                tagIds?: string[];
                /** @description Only documents with this status; absent: all except those in the bin */
                status?: "Processing" | "Active" | "Archived" | "Deleted";
                /** @description Only documents whose content has this `text`: `None` and `Failed` find what searches by words cannot find */
                text?: "Pending" | "Available" | "None" | "Failed";
                /** @description Id of a saved view of the caller; documents must also match its filter */
                savedViewId?: string;
                /** @description Only documents created at or after this time */
                createdFrom?: string;
                /** @description Only documents created before this time */
                createdTo?: string;
                /** @description Search words. Title, file name, values or text must contain all of them, in any German or English word form. The complete number of a visible file matches the documents in it. "Words in quotes" must occur exactly and in this order. A leading `-` excludes a word or phrase. A word with `*` at its end matches all words that start with it, at most four of them in a query; so does the last word, unless a blank follows it. A word of at least five letters also matches compounds that contain it. Empty: all documents; other texts without a word are invalid. */
                q?: string;
                /** @description Sort order; a leading `-` means descending. `fields.` and the key of a field sort by its values and need `documentTypeId`; documents without a value come last. Titles and texts are compared ignoring case. Cannot be combined with `order`. Absent: newest first */
                sort?: string;
                /** @description `relevance` sorts by relevance. It requires `q` and lists at most the newest 1,000 matches of whole words, then at most the newest 1,000 with compounds */
                order?: "newest" | "relevance";
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-2730-70c8-9057-d79446ef06fb",
                     *           "title": "Baugenehmigung vom 20. November",
                     *           "documentTypeId": null,
                     *           "status": "Processing",
                     *           "fields": {
                     *             "betrag": {
                     *               "amount": "1234.50",
                     *               "currency": "EUR"
                     *             },
                     *             "eingang": "2026-11-20"
                     *           },
                     *           "tagIds": [
                     *             "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *           ],
                     *           "fileIds": [
                     *             "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *           ],
                     *           "isConfidential": true,
                     *           "content": {
                     *             "fileName": "Genehmigung.pdf",
                     *             "mediaType": "application/pdf",
                     *             "size": 1,
                     *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "pageCount": null,
                     *             "text": "Pending",
                     *             "failure": null
                     *           },
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdByName": "Edith Editor",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "updatedAt": "2026-11-20T08:15:30.123Z",
                     *           "excerpt": {
                     *             "segments": [
                     *               {
                     *                 "text": "Genehmigung",
                     *                 "isMatch": true
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "document": {
                 *         "title": "Baugenehmigung vom 20. November",
                 *         "documentTypeId": null,
                 *         "fields": {},
                 *         "tagIds": null,
                 *         "fileIds": null,
                 *         "isConfidential": null
                 *       }
                 *     }
                 */
                "multipart/form-data": {
                    document: components["schemas"]["NewDocument"];
                    /**
                     * Format: binary
                     * @description The content; must follow `document`
                     */
                    content?: Blob;
                };
                /**
                 * @example {
                 *       "title": "Baugenehmigung vom 20. November",
                 *       "documentTypeId": null,
                 *       "fields": {},
                 *       "tagIds": null,
                 *       "fileIds": null,
                 *       "isConfidential": null
                 *     }
                 */
                "application/json": components["schemas"]["NewDocument"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-423c-7643-97fd-18b073ffd9b9",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "duplicateIds": [
                     *         "0199f7a4-e24a-75a3-92c9-b8c8637ee33c"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedDocument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`file.closed`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file.closed",
                     *       "title": "File closed",
                     *       "status": 409,
                     *       "detail": "The file is closed. Its documents cannot be changed, and none can be filed or unfiled.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    GetDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Baugenehmigung vom 20. November",
                 *       "documentTypeId": null,
                 *       "fields": {}
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDocumentBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.archived`, `file.closed`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.processing`, `file.closed`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RestoreDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.not-deleted`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.not-deleted",
                     *       "title": "Document not in the bin",
                     *       "status": 409,
                     *       "detail": "The document is not in the bin.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ArchiveDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.processing`, `document.archived`, `file.closed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UnarchiveDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.not-archived`, `file.closed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListFileDocuments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "documentId": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *           "title": "Baugenehmigung vom 20. November",
                     *           "documentTypeId": null,
                     *           "status": "Processing",
                     *           "filedAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FileDocumentPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    FileDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.too-many-links`, `file.closed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UnfileDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.processing`, `file.closed`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    MoveDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fromFileId": "0199f7a4-581b-794a-9776-84384c1a8b21",
                 *       "toFileId": "0199f7a4-3e5b-7fa5-926b-95d8691bd63a"
                 *     }
                 */
                "application/json": components["schemas"]["MoveDocumentBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.processing`, `document.not-in-file`, `file.closed`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    TagDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.archived`, `document.too-many-links`, `file.closed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UntagDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.archived`, `file.closed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDocumentContent: {
        parameters: {
            query?: {
                /** @description Whether a browser saves the content (`attachment`, the default) or displays it (`inline`). Media types that can run scripts are always sent as an attachment */
                disposition?: "attachment" | "inline";
            };
            header?: {
                /** @description Returns the content only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
                /** @description Requested range of the content: `bytes=0-1023` */
                Range?: string;
                /** @description Returns the range only if the content still has this entity tag; otherwise the whole content */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not found, or not visible to the caller (`resource.not-found`, `document.without-content`) */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/resource.not-found",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "Not found, or not visible to you.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ReplaceDocumentContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
                /** @description File name if the body is the content itself: `attachment; filename*=UTF-8''Pr%C3%BCfung.pdf`. Without it, the file name does not change. */
                "Content-Disposition"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        /** @description The content: the file part `content` of a form, or the body itself, with any media type in `Content-Type` */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The content
                     */
                    content: Blob;
                };
                "application/octet-stream": Blob;
                "*/*": Blob;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-423c-7643-97fd-18b073ffd9b9",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "duplicateIds": [
                     *         "0199f7a4-e24a-75a3-92c9-b8c8637ee33c"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedDocument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.archived`, `document.processing`, `file.closed`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    ListDocumentVersions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "number": 1,
                     *           "isNewest": true,
                     *           "fileName": "Genehmigung.pdf",
                     *           "mediaType": "application/pdf",
                     *           "size": 1,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "pageCount": null,
                     *           "image": {
                     *             "width": 1240,
                     *             "height": 1754
                     *           },
                     *           "wordCount": null,
                     *           "failure": null,
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "restoredFrom": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentVersionPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDocumentVersionContent: {
        parameters: {
            query?: {
                /** @description Whether a browser saves the content (`attachment`, the default) or displays it (`inline`). Media types that can run scripts are always sent as an attachment */
                disposition?: "attachment" | "inline";
            };
            header?: {
                /** @description Returns the content only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
                /** @description Requested range of the content: `bytes=0-1023` */
                Range?: string;
                /** @description Returns the range only if the content still has this entity tag; otherwise the whole content */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                /** @example 1 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RestoreDocumentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                /** @example 1 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.archived`, `document.processing`, `file.closed`, `hold.active`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateContentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "of": "content",
                 *       "version": 1,
                 *       "disposition": null,
                 *       "page": null,
                 *       "width": null,
                 *       "expiresIn": 1
                 *     }
                 */
                "application/json": components["schemas"]["CreateContentLinkBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://filing.example/api/v1/t/acme/content-links/MDE5YTNjLi4u",
                     *       "expiresAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContentLink"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not found, or not visible to the caller (`resource.not-found`, `document.without-content`) */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/resource.not-found",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "Not found, or not visible to you.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    SearchDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "documentTypeId": null,
                 *         "fileId": null,
                 *         "tagIds": [],
                 *         "metadataConditions": []
                 *       },
                 *       "text": null,
                 *       "savedViewId": null,
                 *       "status": null,
                 *       "createdFrom": null,
                 *       "createdTo": null,
                 *       "q": "Brandschutz \"keine Bedenken\" -Entwurf",
                 *       "sort": null,
                 *       "order": null,
                 *       "cursor": null,
                 *       "limit": null
                 *     }
                 */
                "application/json": components["schemas"]["SearchDocumentsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-2730-70c8-9057-d79446ef06fb",
                     *           "title": "Baugenehmigung vom 20. November",
                     *           "documentTypeId": null,
                     *           "status": "Processing",
                     *           "fields": {
                     *             "betrag": {
                     *               "amount": "1234.50",
                     *               "currency": "EUR"
                     *             },
                     *             "eingang": "2026-11-20"
                     *           },
                     *           "tagIds": [
                     *             "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *           ],
                     *           "fileIds": [
                     *             "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *           ],
                     *           "isConfidential": true,
                     *           "content": {
                     *             "fileName": "Genehmigung.pdf",
                     *             "mediaType": "application/pdf",
                     *             "size": 1,
                     *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "pageCount": null,
                     *             "text": "Pending",
                     *             "failure": null
                     *           },
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdByName": "Edith Editor",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "updatedAt": "2026-11-20T08:15:30.123Z",
                     *           "excerpt": {
                     *             "segments": [
                     *               {
                     *                 "text": "Genehmigung",
                     *                 "isMatch": true
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListSuggestions: {
        parameters: {
            query?: {
                /** @description What the user has typed so far; the last word may be incomplete. Absent: no suggestions */
                q?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "kind": "Document",
                     *           "text": "Grundsteuerbescheid 2026",
                     *           "id": "0199f7a4-650f-7fa8-9212-6b74c533df58"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDocumentPreview: {
        parameters: {
            query?: {
                /** @description The page, from 1. Default: 1 */
                page?: number;
                /** @description The maximum width in pixels, rounded up to 200, 400, 800 or 1600. Default: 400. Images are never enlarged. */
                width?: number;
                /** @description Number of the version of the content (`content.version`). The response may then be kept for an hour without asking again. 404 if the document has another version. */
                version?: number;
            };
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": Blob;
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not found, or not visible to the caller (`resource.not-found`, `document.without-content`, `document.without-preview`, `document.preview-not-installed`, `document.without-page`) */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/resource.not-found",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "Not found, or not visible to you.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.processing`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.processing",
                     *       "title": "Document being processed",
                     *       "status": 409,
                     *       "detail": "The document is still being processed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ReprocessDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not found, or not visible to the caller (`resource.not-found`, `document.without-content`) */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/resource.not-found",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "Not found, or not visible to you.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.processing`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDocumentText: {
        parameters: {
            query?: {
                /** @description Only this page, from 1; a text without pages is page 1 */
                page?: number;
            };
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Recognised-Pages": components["headers"]["Recognised-Pages"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Baugenehmigung
                     *     Aktenzeichen 12/2026
                     */
                    "text/plain": string;
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Not found, or not visible to the caller (`resource.not-found`, `document.without-content`, `document.without-text`, `document.without-page`) */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/resource.not-found",
                     *       "title": "Not found",
                     *       "status": 404,
                     *       "detail": "Not found, or not visible to you.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.processing`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.processing",
                     *       "title": "Document being processed",
                     *       "status": 409,
                     *       "detail": "The document is still being processed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListFileTypes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *           "key": "construction",
                     *           "nameDe": "Bauakte",
                     *           "nameEn": "Construction file",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "updatedAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FileTypePage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateFileType: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nameDe": "Bauakte",
                 *       "nameEn": "Construction file",
                 *       "key": "construction"
                 *     }
                 */
                "application/json": components["schemas"]["CreateFileTypeBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "key": "construction",
                     *       "nameDe": "Bauakte",
                     *       "nameEn": "Construction file",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FileType"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`file-type.key-taken`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file-type.key-taken",
                     *       "title": "File type key taken",
                     *       "status": 409,
                     *       "detail": "Another file type of the tenant has this key.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetFileType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "key": "construction",
                     *       "nameDe": "Bauakte",
                     *       "nameEn": "Construction file",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FileType"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateFileType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nameDe": "Bauakte",
                 *       "nameEn": "Construction file"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateFileTypeBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "key": "construction",
                     *       "nameDe": "Bauakte",
                     *       "nameEn": "Construction file",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FileType"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetFileTypeNumbering: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pattern": "BAU-{yyyy}-{seq:4}",
                     *       "next": 412
                     *     }
                     */
                    "application/json": components["schemas"]["Numbering"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateFileTypeNumbering: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pattern": "BAU-{yyyy}-{seq:4}",
                 *       "next": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateNumberingBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pattern": "BAU-{yyyy}-{seq:4}",
                     *       "next": 412
                     *     }
                     */
                    "application/json": components["schemas"]["Numbering"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetNextFileNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": "BAU-2026-0412"
                     *     }
                     */
                    "application/json": components["schemas"]["NextNumber"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`numbering.none`, `numbering.exhausted`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/numbering.none",
                     *       "title": "No numbering",
                     *       "status": 409,
                     *       "detail": "The file type has no pattern for numbers.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListDocumentTypes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-f344-775b-9a87-78c9ba15a26b",
                     *           "key": "invoice",
                     *           "nameDe": "Rechnung",
                     *           "nameEn": "Invoice",
                     *           "fields": [
                     *             {
                     *               "key": "state",
                     *               "type": "Enumeration",
                     *               "required": true,
                     *               "labelDe": "Stand",
                     *               "labelEn": "State",
                     *               "options": [
                     *                 {
                     *                   "key": "open",
                     *                   "labelDe": "Offen",
                     *                   "labelEn": "Open"
                     *                 }
                     *               ],
                     *               "referenceTarget": null,
                     *               "isRemoved": true
                     *             }
                     *           ],
                     *           "isActive": true,
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "updatedAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentTypePage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateDocumentType: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nameDe": "Rechnung",
                 *       "nameEn": "Invoice",
                 *       "key": "invoice",
                 *       "fields": null
                 *     }
                 */
                "application/json": components["schemas"]["CreateDocumentTypeBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f344-775b-9a87-78c9ba15a26b",
                     *       "key": "invoice",
                     *       "nameDe": "Rechnung",
                     *       "nameEn": "Invoice",
                     *       "fields": [
                     *         {
                     *           "key": "state",
                     *           "type": "Enumeration",
                     *           "required": true,
                     *           "labelDe": "Stand",
                     *           "labelEn": "State",
                     *           "options": [
                     *             {
                     *               "key": "open",
                     *               "labelDe": "Offen",
                     *               "labelEn": "Open"
                     *             }
                     *           ],
                     *           "referenceTarget": null,
                     *           "isRemoved": true
                     *         }
                     *       ],
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentType"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document-type.key-taken`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document-type.key-taken",
                     *       "title": "Document type key taken",
                     *       "status": 409,
                     *       "detail": "Another document type of the tenant has this key.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDocumentType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f344-775b-9a87-78c9ba15a26b",
                     *       "key": "invoice",
                     *       "nameDe": "Rechnung",
                     *       "nameEn": "Invoice",
                     *       "fields": [
                     *         {
                     *           "key": "state",
                     *           "type": "Enumeration",
                     *           "required": true,
                     *           "labelDe": "Stand",
                     *           "labelEn": "State",
                     *           "options": [
                     *             {
                     *               "key": "open",
                     *               "labelDe": "Offen",
                     *               "labelEn": "Open"
                     *             }
                     *           ],
                     *           "referenceTarget": null,
                     *           "isRemoved": true
                     *         }
                     *       ],
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentType"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateDocumentType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentTypeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nameDe": "Rechnung",
                 *       "nameEn": "Invoice",
                 *       "fields": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDocumentTypeBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f344-775b-9a87-78c9ba15a26b",
                     *       "key": "invoice",
                     *       "nameDe": "Rechnung",
                     *       "nameEn": "Invoice",
                     *       "fields": [
                     *         {
                     *           "key": "state",
                     *           "type": "Enumeration",
                     *           "required": true,
                     *           "labelDe": "Stand",
                     *           "labelEn": "State",
                     *           "options": [
                     *             {
                     *               "key": "open",
                     *               "labelDe": "Offen",
                     *               "labelEn": "Open"
                     *             }
                     *           ],
                     *           "referenceTarget": null,
                     *           "isRemoved": true
                     *         }
                     *       ],
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentType"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeactivateDocumentType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f344-775b-9a87-78c9ba15a26b",
                     *       "key": "invoice",
                     *       "nameDe": "Rechnung",
                     *       "nameEn": "Invoice",
                     *       "fields": [
                     *         {
                     *           "key": "state",
                     *           "type": "Enumeration",
                     *           "required": true,
                     *           "labelDe": "Stand",
                     *           "labelEn": "State",
                     *           "options": [
                     *             {
                     *               "key": "open",
                     *               "labelDe": "Offen",
                     *               "labelEn": "Open"
                     *             }
                     *           ],
                     *           "referenceTarget": null,
                     *           "isRemoved": true
                     *         }
                     *       ],
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentType"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ReactivateDocumentType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f344-775b-9a87-78c9ba15a26b",
                     *       "key": "invoice",
                     *       "nameDe": "Rechnung",
                     *       "nameEn": "Invoice",
                     *       "fields": [
                     *         {
                     *           "key": "state",
                     *           "type": "Enumeration",
                     *           "required": true,
                     *           "labelDe": "Stand",
                     *           "labelEn": "State",
                     *           "options": [
                     *             {
                     *               "key": "open",
                     *               "labelDe": "Offen",
                     *               "labelEn": "Open"
                     *             }
                     *           ],
                     *           "referenceTarget": null,
                     *           "isRemoved": true
                     *         }
                     *       ],
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentType"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListTags: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-2a10-773a-96e6-7f0e5f09a595",
                     *           "name": "Dringend",
                     *           "createdAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TagPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Eilt"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2a10-773a-96e6-7f0e5f09a595",
                     *       "name": "Dringend",
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`tag.name-taken`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/tag.name-taken",
                     *       "title": "Tag name taken",
                     *       "status": 409,
                     *       "detail": "Another tag of the tenant has this name.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2a10-773a-96e6-7f0e5f09a595",
                     *       "name": "Dringend",
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RenameTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sehr dringend"
                 *     }
                 */
                "application/json": components["schemas"]["RenameTagBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2a10-773a-96e6-7f0e5f09a595",
                     *       "name": "Dringend",
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`tag.name-taken`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/tag.name-taken",
                     *       "title": "Tag name taken",
                     *       "status": 409,
                     *       "detail": "Another tag of the tenant has this name.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListSavedViews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199f7a4-f923-7db8-9543-3b49797034d9",
                     *         "name": "Rechnungen über 1000 €",
                     *         "filter": {
                     *           "documentTypeId": null,
                     *           "fileId": null,
                     *           "tagIds": [
                     *             "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *           ],
                     *           "metadataConditions": [
                     *             {
                     *               "fieldKey": "betrag",
                     *               "operator": "GreaterThan",
                     *               "value": "1234.50 EUR"
                     *             }
                     *           ]
                     *         },
                     *         "createdAt": "2026-11-20T08:15:30.123Z",
                     *         "updatedAt": "2026-11-20T08:15:30.123Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SavedView"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Rechnungen über 1000 €",
                 *       "filter": {
                 *         "documentTypeId": null,
                 *         "fileId": null,
                 *         "tagIds": [],
                 *         "metadataConditions": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSavedViewBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f923-7db8-9543-3b49797034d9",
                     *       "name": "Rechnungen über 1000 €",
                     *       "filter": {
                     *         "documentTypeId": null,
                     *         "fileId": null,
                     *         "tagIds": [
                     *           "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *         ],
                     *         "metadataConditions": [
                     *           {
                     *             "fieldKey": "betrag",
                     *             "operator": "GreaterThan",
                     *             "value": "1234.50 EUR"
                     *           }
                     *         ]
                     *       },
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`saved-view.name-taken`, `saved-view.too-many`, `saved-view.too-large`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/saved-view.name-taken",
                     *       "title": "Saved view name taken",
                     *       "status": 409,
                     *       "detail": "Another of your saved views has this name.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                savedViewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f923-7db8-9543-3b49797034d9",
                     *       "name": "Rechnungen über 1000 €",
                     *       "filter": {
                     *         "documentTypeId": null,
                     *         "fileId": null,
                     *         "tagIds": [
                     *           "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *         ],
                     *         "metadataConditions": [
                     *           {
                     *             "fieldKey": "betrag",
                     *             "operator": "GreaterThan",
                     *             "value": "1234.50 EUR"
                     *           }
                     *         ]
                     *       },
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                savedViewId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Rechnungen über 5000 €",
                 *       "filter": {
                 *         "documentTypeId": null,
                 *         "fileId": null,
                 *         "tagIds": [],
                 *         "metadataConditions": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSavedViewBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-f923-7db8-9543-3b49797034d9",
                     *       "name": "Rechnungen über 1000 €",
                     *       "filter": {
                     *         "documentTypeId": null,
                     *         "fileId": null,
                     *         "tagIds": [
                     *           "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *         ],
                     *         "metadataConditions": [
                     *           {
                     *             "fieldKey": "betrag",
                     *             "operator": "GreaterThan",
                     *             "value": "1234.50 EUR"
                     *           }
                     *         ]
                     *       },
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`saved-view.name-taken`, `saved-view.too-large`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/saved-view.name-taken",
                     *       "title": "Saved view name taken",
                     *       "status": 409,
                     *       "detail": "Another of your saved views has this name.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                savedViewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListConfidentialDocuments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-ee25-7df5-9189-bb6292d58f71",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "userCount": 0
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConfidentialDocumentPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ChangeConfidentiality: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isConfidential": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeConfidentialityBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-43cc-723f-9a52-b87b4cc1d02b",
                     *       "title": "Baugenehmigung vom 20. November",
                     *       "documentTypeId": null,
                     *       "status": "Processing",
                     *       "fields": {
                     *         "betrag": {
                     *           "amount": "1234.50",
                     *           "currency": "EUR"
                     *         },
                     *         "eingang": "2026-11-20"
                     *       },
                     *       "tagIds": [
                     *         "0199f7a4-2a10-773a-96e6-7f0e5f09a595"
                     *       ],
                     *       "fileIds": [
                     *         "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1"
                     *       ],
                     *       "isConfidential": true,
                     *       "content": {
                     *         "fileName": "Genehmigung.pdf",
                     *         "mediaType": "application/pdf",
                     *         "size": 1,
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "pageCount": null,
                     *         "text": "Pending",
                     *         "failure": null
                     *       },
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdByName": "Edith Editor",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListConfidentialUsers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *           "displayName": "Alice Arnold",
                     *           "email": "alice@example.com",
                     *           "addedAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConfidentialUserPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    AddConfidentialUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `document.not-confidential`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveConfidentialUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`document.deleted`, `confidentiality.last-user`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/document.deleted",
                     *       "title": "Document in the bin",
                     *       "status": 409,
                     *       "detail": "A document in the bin can only be restored.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetTenantMe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0199f7a4-3d8a-7ba7-97c8-1e618e97114c",
                     *         "email": "alice@example.com",
                     *         "displayName": "Alice Arnold"
                     *       },
                     *       "tenant": {
                     *         "id": "0199f7a4-5bd4-7c93-9089-98e1e2fdc286",
                     *         "slug": "acme",
                     *         "name": "Acme AG"
                     *       },
                     *       "role": {
                     *         "id": "0199f7a4-2f04-7b48-9a96-988c4555a1b5",
                     *         "key": "editor",
                     *         "name": "Editor"
                     *       },
                     *       "permissions": [
                     *         "files.read",
                     *         "tags.read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TenantMe"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListOwnTenants: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-43c2-7b3e-917f-4b88e2e022a9",
                     *           "slug": "acme",
                     *           "name": "Acme AG",
                     *           "role": {
                     *             "id": "0199f7a4-2f04-7b48-9a96-988c4555a1b5",
                     *             "key": "editor",
                     *             "name": "Editor"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["OwnTenantPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListNotifications: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Whether to list only unread notifications */
                unreadOnly?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-1242-7ab9-99f6-773a843ffe38",
                     *           "type": "FileClosed",
                     *           "parameters": {
                     *             "fileId": "0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d",
                     *             "fileNumber": "AZ-2026/0042",
                     *             "fileName": "Neubau Feuerwache Nord",
                     *             "actorName": "Alice Arnold"
                     *           },
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "readAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    StreamNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: FileClosed
                     *     data: {"id":"0199f7a4-1242-7ab9-99f6-773a843ffe38","type":"FileClosed","parameters":{"fileId":"0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d","fileNumber":"AZ-2026/0042","fileName":"Neubau Feuerwache Nord","actorName":"Alice Arnold"},"createdAt":"2026-11-20T08:15:30.123Z","readAt":null}
                     */
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    MarkAllNotificationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    MarkNotificationRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "language": "de",
                     *       "mail": {
                     *         "DocumentProcessingFailed": "off",
                     *         "DocumentFiled": "off",
                     *         "DocumentUnfiled": "off",
                     *         "FileClosed": "off",
                     *         "FileReopened": "off",
                     *         "ConfidentialAccessGranted": "off",
                     *         "ConfidentialAccessRevoked": "off",
                     *         "ConfidentialUserAdded": "off",
                     *         "AccessGranted": "off",
                     *         "AccessRevoked": "off",
                     *         "InvitationAccepted": "off",
                     *         "RoleChanged": "off",
                     *         "ExportReady": "off",
                     *         "ExportFailed": "off",
                     *         "DisposalSubmitted": "off",
                     *         "DisposalApproved": "off",
                     *         "DisposalRejected": "off",
                     *         "DisposalCompleted": "off",
                     *         "WebhookDisabled": "off"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "language": "de",
                 *       "mail": {
                 *         "DocumentProcessingFailed": "immediate",
                 *         "DocumentFiled": "daily"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateNotificationPreferencesBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "language": "de",
                     *       "mail": {
                     *         "DocumentProcessingFailed": "off",
                     *         "DocumentFiled": "off",
                     *         "DocumentUnfiled": "off",
                     *         "FileClosed": "off",
                     *         "FileReopened": "off",
                     *         "ConfidentialAccessGranted": "off",
                     *         "ConfidentialAccessRevoked": "off",
                     *         "ConfidentialUserAdded": "off",
                     *         "AccessGranted": "off",
                     *         "AccessRevoked": "off",
                     *         "InvitationAccepted": "off",
                     *         "RoleChanged": "off",
                     *         "ExportReady": "off",
                     *         "ExportFailed": "off",
                     *         "DisposalSubmitted": "off",
                     *         "DisposalApproved": "off",
                     *         "DisposalRejected": "off",
                     *         "DisposalCompleted": "off",
                     *         "WebhookDisabled": "off"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListNotificationTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "FileClosed",
                     *         "textEn": "{actorName} closed the file {fileNumber} ({fileName}).",
                     *         "textDe": "{actorName} hat die Akte {fileNumber} ({fileName}) geschlossen.",
                     *         "parameters": [
                     *           {
                     *             "key": "fileNumber",
                     *             "options": []
                     *           },
                     *           {
                     *             "key": "fileName",
                     *             "options": []
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * @description `type` of notifications
                         * @example FileClosed
                         */
                        type: string;
                        /**
                         * @description Text to show. `{key}` is a placeholder for the value of a parameter.
                         * @example {actorName} closed the file {fileNumber} ({fileName}).
                         */
                        textEn: string;
                        /** @example {actorName} hat die Akte {fileNumber} ({fileName}) geschlossen. */
                        textDe: string;
                        /**
                         * @description Parameters of notifications of this type. The texts do not use all of them.
                         * @example [
                         *       {
                         *         "key": "fileNumber",
                         *         "options": []
                         *       },
                         *       {
                         *         "key": "fileName",
                         *         "options": []
                         *       }
                         *     ]
                         */
                        parameters: {
                            key: string;
                            /** @description For a parameter whose values are codes: the label to show for each code; otherwise empty */
                            options: {
                                key: string;
                                labelEn: string;
                                labelDe: string;
                            }[];
                        }[];
                    }[];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    ListMembers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *           "email": "alice@example.com",
                     *           "displayName": "Alice Arnold",
                     *           "issuer": "https://login.example.com",
                     *           "subject": "alice",
                     *           "role": {
                     *             "id": "0199f7a4-7425-7122-9daf-c0bb6f38cf14",
                     *             "key": "editor",
                     *             "name": "Editor"
                     *           },
                     *           "createdAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    AddMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issuer": "https://login.example.com",
                 *       "subject": "archive-scanner",
                 *       "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc"
                 *     }
                 */
                "application/json": components["schemas"]["AddMemberBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *       "email": "alice@example.com",
                     *       "displayName": "Alice Arnold",
                     *       "issuer": "https://login.example.com",
                     *       "subject": "alice",
                     *       "role": {
                     *         "id": "0199f7a4-7425-7122-9daf-c0bb6f38cf14",
                     *         "key": "editor",
                     *         "name": "Editor"
                     *       },
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`member.exists`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/member.exists",
                     *       "title": "Already a member",
                     *       "status": 409,
                     *       "detail": "This user is already a member of the tenant.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *       "email": "alice@example.com",
                     *       "displayName": "Alice Arnold",
                     *       "issuer": "https://login.example.com",
                     *       "subject": "alice",
                     *       "role": {
                     *         "id": "0199f7a4-7425-7122-9daf-c0bb6f38cf14",
                     *         "key": "editor",
                     *         "name": "Editor"
                     *       },
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ChangeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeMemberRoleBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *       "email": "alice@example.com",
                     *       "displayName": "Alice Arnold",
                     *       "issuer": "https://login.example.com",
                     *       "subject": "alice",
                     *       "role": {
                     *         "id": "0199f7a4-7425-7122-9daf-c0bb6f38cf14",
                     *         "key": "editor",
                     *         "name": "Editor"
                     *       },
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`member.last-administrator`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/member.last-administrator",
                     *       "title": "Last administrator",
                     *       "status": 409,
                     *       "detail": "The last member with both roles.manage and members.manage cannot lose these permissions.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`member.last-administrator`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/member.last-administrator",
                     *       "title": "Last administrator",
                     *       "status": 409,
                     *       "detail": "The last member with both roles.manage and members.manage cannot lose these permissions.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListUserNames: {
        parameters: {
            query?: {
                /** @description Ids of users. Default: none */
                ids?: string[];
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *         "displayName": "Alice Arnold"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UserName"][];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListRoles: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *           "key": null,
                     *           "name": "Registry clerk",
                     *           "isBuiltIn": false,
                     *           "permissions": [
                     *             "files.read",
                     *             "documents.read"
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RolePage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Registry clerk",
                 *       "permissions": [
                 *         "files.read",
                 *         "documents.read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateRoleBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *       "key": null,
                     *       "name": "Registry clerk",
                     *       "isBuiltIn": false,
                     *       "permissions": [
                     *         "files.read",
                     *         "documents.read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`role.name-taken`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/role.name-taken",
                     *       "title": "Role name taken",
                     *       "status": 409,
                     *       "detail": "Another role of the tenant has this name.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                roleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *       "key": null,
                     *       "name": "Registry clerk",
                     *       "isBuiltIn": false,
                     *       "permissions": [
                     *         "files.read",
                     *         "documents.read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                roleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Front desk",
                 *       "permissions": [
                 *         "files.read",
                 *         "documents.read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRoleBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *       "key": null,
                     *       "name": "Registry clerk",
                     *       "isBuiltIn": false,
                     *       "permissions": [
                     *         "files.read",
                     *         "documents.read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`role.built-in`, `role.name-taken`, `member.last-administrator`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/role.built-in",
                     *       "title": "Built-in role",
                     *       "status": 409,
                     *       "detail": "Built-in roles cannot be changed or deleted.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                roleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`role.built-in`, `role.in-use`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/role.built-in",
                     *       "title": "Built-in role",
                     *       "status": 409,
                     *       "detail": "Built-in roles cannot be changed or deleted.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "key": "files.read",
                     *         "description": "See all files"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Permission"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListInvitations: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-a301-73c0-982c-75edc913598c",
                     *           "email": "bob@example.com",
                     *           "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *           "status": "Pending",
                     *           "message": "Welcome to the team!",
                     *           "invitedById": "0199f7a4-5272-719d-9cfb-70399afc6aba",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "expiresAt": "2026-11-20T08:15:30.123Z",
                     *           "acceptedAt": null,
                     *           "revokedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "bob@example.com",
                 *       "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                 *       "message": "Welcome to the team!",
                 *       "expiresAt": null,
                 *       "sendMail": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-56f4-73ef-9a7b-5f4d81dc8b4b",
                     *       "email": "bob@example.com",
                     *       "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *       "status": "Pending",
                     *       "message": "Welcome to the team!",
                     *       "invitedById": "0199f7a4-5272-719d-9cfb-70399afc6aba",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "expiresAt": "2026-11-20T08:15:30.123Z",
                     *       "acceptedAt": null,
                     *       "revokedAt": null,
                     *       "secret": "pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M",
                     *       "acceptUrl": "https://filing.example/invitation#tenant=demo&secret=pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`invitation.exists`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/invitation.exists",
                     *       "title": "Already invited",
                     *       "status": 409,
                     *       "detail": "There is a pending invitation for this address, or a member has it.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests; `Retry-After` says when to retry (`request.rate-limited`, `invitation.too-many-mails`) */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/request.rate-limited",
                     *       "title": "Too many requests",
                     *       "status": 429,
                     *       "detail": "Too many requests. Try again after the number of seconds in the Retry-After header.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-a301-73c0-982c-75edc913598c",
                     *       "email": "bob@example.com",
                     *       "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *       "status": "Pending",
                     *       "message": "Welcome to the team!",
                     *       "invitedById": "0199f7a4-5272-719d-9cfb-70399afc6aba",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "expiresAt": "2026-11-20T08:15:30.123Z",
                     *       "acceptedAt": null,
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RevokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`invitation.ended`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/invitation.ended",
                     *       "title": "Invitation ended",
                     *       "status": 409,
                     *       "detail": "Only a pending invitation can be revoked.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    AcceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "secret": "pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationSecretBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0199f7a4-3d8a-7ba7-97c8-1e618e97114c",
                     *         "email": "alice@example.com",
                     *         "displayName": "Alice Arnold"
                     *       },
                     *       "tenant": {
                     *         "id": "0199f7a4-5bd4-7c93-9089-98e1e2fdc286",
                     *         "slug": "acme",
                     *         "name": "Acme AG"
                     *       },
                     *       "role": {
                     *         "id": "0199f7a4-2f04-7b48-9a96-988c4555a1b5",
                     *         "key": "editor",
                     *         "name": "Editor"
                     *       },
                     *       "permissions": [
                     *         "files.read",
                     *         "tags.read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TenantMe"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`member.exists`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/member.exists",
                     *       "title": "Already a member",
                     *       "status": 409,
                     *       "detail": "This user is already a member of the tenant.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeclineInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "secret": "pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationSecretBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListAccessGrants: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-a1d3-7176-933c-2f4fef4bc776",
                     *           "subjectType": "User",
                     *           "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                     *           "targetType": "File",
                     *           "targetId": "0199f7a4-34a0-7400-95bc-af206eec990b",
                     *           "level": "Read",
                     *           "status": "Active",
                     *           "reason": "Stands in for Alice until Easter",
                     *           "expiresAt": null,
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "revokedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AccessGrantPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateAccessGrant: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subjectType": "User",
                 *       "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                 *       "targetType": "File",
                 *       "targetId": "0199f7a4-34a0-7400-95bc-af206eec990b",
                 *       "level": "Read",
                 *       "reason": "Stands in for Alice until Easter",
                 *       "expiresAt": null
                 *     }
                 */
                "application/json": components["schemas"]["CreateAccessGrantBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-a1d3-7176-933c-2f4fef4bc776",
                     *       "subjectType": "User",
                     *       "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                     *       "targetType": "File",
                     *       "targetId": "0199f7a4-34a0-7400-95bc-af206eec990b",
                     *       "level": "Read",
                     *       "status": "Active",
                     *       "reason": "Stands in for Alice until Easter",
                     *       "expiresAt": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["AccessGrant"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenEscalation"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/request.idempotency-conflict",
                     *       "title": "Idempotency key reused",
                     *       "status": 409,
                     *       "detail": "This Idempotency-Key was used for another request within the last 24 hours.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAccessGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-a1d3-7176-933c-2f4fef4bc776",
                     *       "subjectType": "User",
                     *       "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                     *       "targetType": "File",
                     *       "targetId": "0199f7a4-34a0-7400-95bc-af206eec990b",
                     *       "level": "Read",
                     *       "status": "Active",
                     *       "reason": "Stands in for Alice until Easter",
                     *       "expiresAt": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["AccessGrant"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RevokeAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`access-grant.ended`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/access-grant.ended",
                     *       "title": "Grant ended",
                     *       "status": 409,
                     *       "detail": "The grant has already expired or been revoked.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListFileAccess: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "canWrite": true,
                     *           "reasons": [
                     *             {
                     *               "kind": "Role",
                     *               "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *               "grantId": "0199f7a4-3492-7ad6-95d0-5a973fef8c82",
                     *               "fileId": null,
                     *               "expiresAt": null
                     *             }
                     *           ],
                     *           "moreReasons": true,
                     *           "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *           "displayName": "Alice Arnold"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReaderPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListDocumentAccess: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "canWrite": true,
                     *           "reasons": [
                     *             {
                     *               "kind": "Role",
                     *               "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *               "grantId": "0199f7a4-3492-7ad6-95d0-5a973fef8c82",
                     *               "fileId": null,
                     *               "expiresAt": null
                     *             }
                     *           ],
                     *           "moreReasons": true,
                     *           "userId": "0199f7a4-04f8-7996-9da7-63b7a969b102",
                     *           "displayName": "Alice Arnold"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReaderPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetMemberAccess: {
        parameters: {
            query?: {
                /** @description The file. Exactly one of `fileId` and `documentId` is required. */
                fileId?: string;
                /** @description The document */
                documentId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "canWrite": true,
                     *       "reasons": [
                     *         {
                     *           "kind": "Role",
                     *           "roleId": "0199f7a4-4b16-78d8-98dc-872a7753c2bc",
                     *           "grantId": "0199f7a4-3492-7ad6-95d0-5a973fef8c82",
                     *           "fileId": null,
                     *           "expiresAt": null
                     *         }
                     *       ],
                     *       "moreReasons": true,
                     *       "canRead": true,
                     *       "missing": [
                     *         "NotPermitted"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MemberAccess"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetFileTypeRetention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": "P10Y",
                     *       "startsAt": "Closing",
                     *       "disposition": "Destroy"
                     *     }
                     */
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateFileTypeRetention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileTypeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "period": "P10Y",
                 *       "startsAt": "EndOfYearOfClosing",
                 *       "disposition": "Destroy"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRetentionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": "P10Y",
                     *       "startsAt": "Closing",
                     *       "disposition": "Destroy"
                     *     }
                     */
                    "application/json": components["schemas"]["Retention"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetFileRetention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "None",
                     *       "dueOn": null,
                     *       "disposition": null,
                     *       "keepUntil": null,
                     *       "isHeld": true
                     *     }
                     */
                    "application/json": components["schemas"]["FileRetention"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDocumentRetention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isHeld": true
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentRetention"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListHolds: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-e8b2-72d8-93b4-17e85ba4f241",
                     *           "name": "Rechtsstreit Seegut",
                     *           "reason": "Klage vom 3. März 2026, Landgericht Musterstadt",
                     *           "status": "Active",
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "releasedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["HoldPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Rechtsstreit Seegut",
                 *       "reason": "Klage vom 3. März 2026, Landgericht Musterstadt"
                 *     }
                 */
                "application/json": components["schemas"]["HoldBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-e8b2-72d8-93b4-17e85ba4f241",
                     *       "name": "Rechtsstreit Seegut",
                     *       "reason": "Klage vom 3. März 2026, Landgericht Musterstadt",
                     *       "status": "Active",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "releasedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Hold"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/request.idempotency-conflict",
                     *       "title": "Idempotency key reused",
                     *       "status": 409,
                     *       "detail": "This Idempotency-Key was used for another request within the last 24 hours.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-e8b2-72d8-93b4-17e85ba4f241",
                     *       "name": "Rechtsstreit Seegut",
                     *       "reason": "Klage vom 3. März 2026, Landgericht Musterstadt",
                     *       "status": "Active",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "releasedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Hold"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Rechtsstreit Seegut",
                 *       "reason": "Klage vom 3. März 2026, Landgericht Musterstadt"
                 *     }
                 */
                "application/json": components["schemas"]["HoldBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-e8b2-72d8-93b4-17e85ba4f241",
                     *       "name": "Rechtsstreit Seegut",
                     *       "reason": "Klage vom 3. März 2026, Landgericht Musterstadt",
                     *       "status": "Active",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "releasedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Hold"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ReleaseHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-e8b2-72d8-93b4-17e85ba4f241",
                     *       "name": "Rechtsstreit Seegut",
                     *       "reason": "Klage vom 3. März 2026, Landgericht Musterstadt",
                     *       "status": "Active",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "releasedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Hold"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListHoldItems: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "subjectType": "File",
                     *           "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                     *           "title": "BAU-2026-0001: Neubau Feuerwache Nord",
                     *           "addedAt": "2026-11-20T08:15:30.123Z",
                     *           "addedById": "0199f7a4-0e13-7205-9dde-121f018622b6"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["HoldItemPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    AddHoldItems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fileIds": null,
                 *       "documentIds": null
                 *     }
                 */
                "application/json": components["schemas"]["AddHoldItemsBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`, `disposal.running`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    AddFileToHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`, `disposal.running`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveFileFromHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    AddDocumentToHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`, `disposal.running`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveDocumentFromHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                holdId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`hold.released`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/hold.released",
                     *       "title": "Hold released",
                     *       "status": 409,
                     *       "detail": "The hold has been released and cannot be changed any more.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListDisposals: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *           "name": "Aussonderung 2026",
                     *           "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *           "dueBefore": "2026-11-20",
                     *           "status": "Draft",
                     *           "period": "P10Y",
                     *           "startsAt": "text",
                     *           "disposition": "text",
                     *           "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "submittedById": null,
                     *           "submittedAt": null,
                     *           "approvedById": null,
                     *           "approvedAt": null,
                     *           "rejection": null,
                     *           "completedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DisposalPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateDisposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Aussonderung 2026",
                 *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                 *       "dueBefore": "2026-01-01"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDisposalBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *       "name": "Aussonderung 2026",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "dueBefore": "2026-11-20",
                     *       "status": "Draft",
                     *       "period": "P10Y",
                     *       "startsAt": "text",
                     *       "disposition": "text",
                     *       "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "submittedById": null,
                     *       "submittedAt": null,
                     *       "approvedById": null,
                     *       "approvedAt": null,
                     *       "rejection": null,
                     *       "completedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Disposal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.nothing-due`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.nothing-due",
                     *       "title": "No file due",
                     *       "status": 409,
                     *       "detail": "No file of the type is due before this day that is visible to you, not held, and in no other disposal.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDisposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *       "name": "Aussonderung 2026",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "dueBefore": "2026-11-20",
                     *       "status": "Draft",
                     *       "period": "P10Y",
                     *       "startsAt": "text",
                     *       "disposition": "text",
                     *       "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "submittedById": null,
                     *       "submittedAt": null,
                     *       "approvedById": null,
                     *       "approvedAt": null,
                     *       "rejection": null,
                     *       "completedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Disposal"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateDisposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": null,
                 *       "keepUntil": null,
                 *       "name": "Aussonderung 2026",
                 *       "decision": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDisposalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *       "name": "Aussonderung 2026",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "dueBefore": "2026-11-20",
                     *       "status": "Draft",
                     *       "period": "P10Y",
                     *       "startsAt": "text",
                     *       "disposition": "text",
                     *       "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "submittedById": null,
                     *       "submittedAt": null,
                     *       "approvedById": null,
                     *       "approvedAt": null,
                     *       "rejection": null,
                     *       "completedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Disposal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-draft`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-draft",
                     *       "title": "Disposal submitted",
                     *       "status": 409,
                     *       "detail": "The disposal has been submitted and cannot be changed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteDisposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-draft`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-draft",
                     *       "title": "Disposal submitted",
                     *       "status": 409,
                     *       "detail": "The disposal has been submitted and cannot be changed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListDisposalFiles: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "number": "BAU-2015-0001",
                     *           "decision": null,
                     *           "reference": null,
                     *           "keepUntil": null,
                     *           "outcome": null,
                     *           "skippedBecause": null,
                     *           "fileId": "0199f7a4-3b9c-7358-9f36-f0a31b6ad3e1",
                     *           "name": null,
                     *           "closedAt": "2026-11-20T08:15:30.123Z",
                     *           "documentCount": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DisposalFilePage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DecideOnDisposalFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": null,
                 *       "keepUntil": null,
                 *       "decision": "Destroy"
                 *     }
                 */
                "application/json": components["schemas"]["DecideBody"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-draft`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-draft",
                     *       "title": "Disposal submitted",
                     *       "status": 409,
                     *       "detail": "The disposal has been submitted and cannot be changed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RemoveDisposalFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-draft`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-draft",
                     *       "title": "Disposal submitted",
                     *       "status": 409,
                     *       "detail": "The disposal has been submitted and cannot be changed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    SubmitDisposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *       "name": "Aussonderung 2026",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "dueBefore": "2026-11-20",
                     *       "status": "Draft",
                     *       "period": "P10Y",
                     *       "startsAt": "text",
                     *       "disposition": "text",
                     *       "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "submittedById": null,
                     *       "submittedAt": null,
                     *       "approvedById": null,
                     *       "approvedAt": null,
                     *       "rejection": null,
                     *       "completedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Disposal"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-draft`, `disposal.undecided`, `disposal.nothing-due`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-draft",
                     *       "title": "Disposal submitted",
                     *       "status": 409,
                     *       "detail": "The disposal has been submitted and cannot be changed.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ApproveDisposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *       "name": "Aussonderung 2026",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "dueBefore": "2026-11-20",
                     *       "status": "Draft",
                     *       "period": "P10Y",
                     *       "startsAt": "text",
                     *       "disposition": "text",
                     *       "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "submittedById": null,
                     *       "submittedAt": null,
                     *       "approvedById": null,
                     *       "approvedAt": null,
                     *       "rejection": null,
                     *       "completedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Disposal"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-submitted`, `disposal.same-person`, `disposal.nothing-due`, `disposal.rule-changed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-submitted",
                     *       "title": "Disposal not submitted",
                     *       "status": 409,
                     *       "detail": "Only a submitted disposal can be approved or rejected.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RejectDisposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Die Akten des Jahres 2015 werden noch gebraucht"
                 *     }
                 */
                "application/json": components["schemas"]["RejectDisposalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *       "name": "Aussonderung 2026",
                     *       "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *       "dueBefore": "2026-11-20",
                     *       "status": "Draft",
                     *       "period": "P10Y",
                     *       "startsAt": "text",
                     *       "disposition": "text",
                     *       "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "submittedById": null,
                     *       "submittedAt": null,
                     *       "approvedById": null,
                     *       "approvedAt": null,
                     *       "rejection": null,
                     *       "completedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Disposal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-submitted`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-submitted",
                     *       "title": "Disposal not submitted",
                     *       "status": 409,
                     *       "detail": "Only a submitted disposal can be approved or rejected.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetDisposalCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                disposalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "disposal": {
                     *         "id": "0199f7a4-2f07-724f-9fee-1368766c72b5",
                     *         "name": "Aussonderung 2026",
                     *         "fileTypeId": "0199f7a4-b5d2-71a3-9634-324fab0b1a3d",
                     *         "dueBefore": "2026-11-20",
                     *         "status": "Draft",
                     *         "period": "P10Y",
                     *         "startsAt": "text",
                     *         "disposition": "text",
                     *         "ruleChangedAt": "2026-11-20T08:15:30.123Z",
                     *         "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *         "createdAt": "2026-11-20T08:15:30.123Z",
                     *         "submittedById": null,
                     *         "submittedAt": null,
                     *         "approvedById": null,
                     *         "approvedAt": null,
                     *         "rejection": null,
                     *         "completedAt": null
                     *       },
                     *       "fileTypeKey": "building",
                     *       "fileTypeName": "Bauakte",
                     *       "createdByName": "Rita Records",
                     *       "submittedByName": "Rita Records",
                     *       "approvedByName": "Alice Administrator",
                     *       "destroyedFiles": 1,
                     *       "destroyedDocuments": 1,
                     *       "destroyedBytes": 1,
                     *       "files": [
                     *         {
                     *           "number": "BAU-2015-0001",
                     *           "decision": null,
                     *           "reference": null,
                     *           "keepUntil": null,
                     *           "outcome": null,
                     *           "skippedBecause": null,
                     *           "closedOn": "2026-11-20",
                     *           "dueOn": null,
                     *           "disposedOn": null,
                     *           "documentCount": 1,
                     *           "documentBytes": 1
                     *         }
                     *       ],
                     *       "notice": "The service has destroyed the files in its database and content store. Backups, replicas of the database and earlier versions in an object store are the responsibility of the operator."
                     *     }
                     */
                    "application/json": components["schemas"]["DisposalCertificate"];
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`disposal.not-completed`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/disposal.not-completed",
                     *       "title": "Disposal not completed",
                     *       "status": 409,
                     *       "detail": "The disposal is not completed, so it has no certificate.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListAuditEntries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Only entries with this action (see `action` of AuditEntry). An unknown action matches nothing. */
                action?: string;
                /** @description Only entries for actions of this user */
                actorId?: string;
                /** @description Only entries about the object with this id */
                subjectId?: string;
                /** @description Only entries at or after this time */
                from?: string;
                /** @description Only entries before this time */
                to?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-fd8d-78ab-92f7-eeb60be4d220",
                     *           "occurredAt": "2026-11-20T08:15:30.123Z",
                     *           "actorId": null,
                     *           "actorName": null,
                     *           "action": "FileRenamed",
                     *           "subjectType": "File",
                     *           "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                     *           "summary": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAuditCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Baugenehmigung
                     *     Aktenzeichen 12/2026
                     */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`evidence.no-key`, `evidence.no-public-url`, `evidence.not-yet`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/evidence.no-key",
                     *       "title": "No signing key",
                     *       "status": 409,
                     *       "detail": "The service has no key to sign checkpoints of the audit log.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAuditKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Baugenehmigung
                     *     Aktenzeichen 12/2026
                     */
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`evidence.not-yet`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/evidence.not-yet",
                     *       "title": "Not in the tree yet",
                     *       "status": 409,
                     *       "detail": "The audit entry has no leaf in the tree of the audit log yet.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListAuditCheckpoints: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-3196-73fa-9d19-4baec69d4410",
                     *           "size": 0,
                     *           "checkpoint": "text",
                     *           "createdAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditCheckpointPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAuditProof: {
        parameters: {
            query?: {
                /** @description Size of the tree that the proof is for. Default: the current size */
                size?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                auditEntryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sequence": 0,
                     *       "treeSize": 1,
                     *       "leaf": "text",
                     *       "opening": {
                     *         "salt": "q83vEjRWeJCrze8SNFZ4kA==",
                     *         "actorName": null,
                     *         "contentVersion": null,
                     *         "related": {},
                     *         "summary": null
                     *       },
                     *       "hashes": [
                     *         "text"
                     *       ],
                     *       "checkpoint": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditProof"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`evidence.no-key`, `evidence.no-public-url`, `evidence.not-yet`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/evidence.no-key",
                     *       "title": "No signing key",
                     *       "status": 409,
                     *       "detail": "The service has no key to sign checkpoints of the audit log.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetAuditConsistency: {
        parameters: {
            query?: {
                /** @description Size of the earlier tree. Default: 0, the empty tree */
                from?: number;
                /** @description Size of the later tree. Default: the current size */
                to?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hashes": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditConsistency"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ExportAuditLog: {
        parameters: {
            query?: {
                /** @description Number of entries that the export leaves out, from the beginning. Default: 0 */
                fromSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": Blob;
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`evidence.no-key`, `evidence.no-public-url`, `evidence.not-yet`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/evidence.no-key",
                     *       "title": "No signing key",
                     *       "status": 409,
                     *       "detail": "The service has no key to sign checkpoints of the audit log.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListExports: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-d46a-7ee0-98cc-49f6d1eb4180",
                     *           "name": "Neubau Feuerwache Nord",
                     *           "status": "Pending",
                     *           "documentCount": 0,
                     *           "documentsDone": 0,
                     *           "size": null,
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "expiresAt": null,
                     *           "failure": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExportPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Neubau Feuerwache Nord",
                 *       "fileIds": null,
                 *       "documentIds": null,
                 *       "fileTypeId": null,
                 *       "disposalId": null,
                 *       "all": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateExportBody"];
            };
        };
        responses: {
            /** @description Done */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-d46a-7ee0-98cc-49f6d1eb4180",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Pending",
                     *       "documentCount": 0,
                     *       "documentsDone": 0,
                     *       "size": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "expiresAt": null,
                     *       "failure": null
                     *     }
                     */
                    "application/json": components["schemas"]["Export"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`export.too-large`, `export.too-many`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/export.too-large",
                     *       "title": "Export too large",
                     *       "status": 409,
                     *       "detail": "An export has at most 100,000 documents, 250,000 contents and 50 GB.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-d46a-7ee0-98cc-49f6d1eb4180",
                     *       "name": "Neubau Feuerwache Nord",
                     *       "status": "Pending",
                     *       "documentCount": 0,
                     *       "documentsDone": 0,
                     *       "size": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "expiresAt": null,
                     *       "failure": null
                     *     }
                     */
                    "application/json": components["schemas"]["Export"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetExportContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the content only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
                /** @description Requested range of the content: `bytes=0-1023` */
                Range?: string;
                /** @description Returns the range only if the content still has this entity tag; otherwise the whole content */
                "If-Range"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NoAccess"];
            404: components["responses"]["NotFound"];
            /** @description The state of the resource, or of another one, does not allow this (`export.not-ready`, `export.outdated`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/export.not-ready",
                     *       "title": "Export not ready",
                     *       "status": 409,
                     *       "detail": "The export is not finished, has failed or has expired.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListWebhooks: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-9fd0-79dc-9335-45f9cc19b81e",
                     *           "url": "https://receiver.example/events",
                     *           "description": "Copy of the file list in the citizen portal",
                     *           "types": [
                     *             "FileCreated",
                     *             "FileClosed"
                     *           ],
                     *           "status": "Active",
                     *           "disabledReason": null,
                     *           "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *           "createdAt": "2026-11-20T08:15:30.123Z",
                     *           "updatedAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://receiver.example/events",
                 *       "description": "Copy of the file list in the citizen portal",
                 *       "types": [
                 *         "FileCreated",
                 *         "FileClosed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-4c3e-7019-9d07-d1524cead898",
                     *       "url": "https://receiver.example/events",
                     *       "description": "Copy of the file list in the citizen portal",
                     *       "types": [
                     *         "FileCreated",
                     *         "FileClosed"
                     *       ],
                     *       "status": "Active",
                     *       "disabledReason": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`webhook.too-many`, `request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/webhook.too-many",
                     *       "title": "Too many webhooks",
                     *       "status": 409,
                     *       "detail": "A tenant can have at most 20 webhooks.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Returns the resource only if its entity tag is a different one; otherwise 304 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-9fd0-79dc-9335-45f9cc19b81e",
                     *       "url": "https://receiver.example/events",
                     *       "description": "Copy of the file list in the citizen portal",
                     *       "types": [
                     *         "FileCreated",
                     *         "FileClosed"
                     *       ],
                     *       "status": "Active",
                     *       "disabledReason": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Not changed; the entity tag in `If-None-Match` is current */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://receiver.example/events",
                 *       "description": "Copy of the file list in the citizen portal",
                 *       "types": [
                 *         "FileCreated",
                 *         "FileClosed"
                 *       ],
                 *       "status": "Active"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-9fd0-79dc-9335-45f9cc19b81e",
                     *       "url": "https://receiver.example/events",
                     *       "description": "Copy of the file list in the citizen portal",
                     *       "types": [
                     *         "FileCreated",
                     *         "FileClosed"
                     *       ],
                     *       "status": "Active",
                     *       "disabledReason": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`webhook.creator-lost-right`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/webhook.creator-lost-right",
                     *       "title": "Creator lost the right",
                     *       "status": 409,
                     *       "detail": "The creator of the webhook is no longer a member with auditLog.read.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Changes the resource only if it still has this entity tag; otherwise 412 */
                "If-Match"?: string;
                /** @description Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    EnableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-9fd0-79dc-9335-45f9cc19b81e",
                     *       "url": "https://receiver.example/events",
                     *       "description": "Copy of the file list in the citizen portal",
                     *       "types": [
                     *         "FileCreated",
                     *         "FileClosed"
                     *       ],
                     *       "status": "Active",
                     *       "disabledReason": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`webhook.creator-lost-right`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/webhook.creator-lost-right",
                     *       "title": "Creator lost the right",
                     *       "status": 409,
                     *       "detail": "The creator of the webhook is no longer a member with auditLog.read.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-4c3e-7019-9d07-d1524cead898",
                     *       "url": "https://receiver.example/events",
                     *       "description": "Copy of the file list in the citizen portal",
                     *       "types": [
                     *         "FileCreated",
                     *         "FileClosed"
                     *       ],
                     *       "status": "Active",
                     *       "disabledReason": null,
                     *       "createdById": "0199f7a4-c0d7-79bd-9e7d-d80a251d6113",
                     *       "createdAt": "2026-11-20T08:15:30.123Z",
                     *       "updatedAt": "2026-11-20T08:15:30.123Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`request.idempotency-conflict`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/request.idempotency-conflict",
                     *       "title": "Idempotency key reused",
                     *       "status": 409,
                     *       "detail": "This Idempotency-Key was used for another request within the last 24 hours.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    TestWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-da28-7395-9175-e579f5885088",
                     *       "sequence": 1042,
                     *       "type": "FileCreated",
                     *       "status": "Pending",
                     *       "attempts": 1,
                     *       "lastStatusCode": 503,
                     *       "lastError": "BadStatus",
                     *       "lastDurationMs": 120,
                     *       "nextAttemptAt": null,
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`webhook.disabled`, `webhook.too-many-pending`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/webhook.disabled",
                     *       "title": "Webhook disabled",
                     *       "status": 409,
                     *       "detail": "Nothing is sent to a disabled webhook.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Only deliveries with this status */
                status?: "Pending" | "Delivered" | "Failed";
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f7a4-da28-7395-9175-e579f5885088",
                     *           "sequence": 1042,
                     *           "type": "FileCreated",
                     *           "status": "Pending",
                     *           "attempts": 1,
                     *           "lastStatusCode": 503,
                     *           "lastError": "BadStatus",
                     *           "lastDurationMs": 120,
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2026-11-20T08:15:30.123Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RedeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f7a4-da28-7395-9175-e579f5885088",
                     *       "sequence": 1042,
                     *       "type": "FileCreated",
                     *       "status": "Pending",
                     *       "attempts": 1,
                     *       "lastStatusCode": 503,
                     *       "lastError": "BadStatus",
                     *       "lastDurationMs": 120,
                     *       "nextAttemptAt": null,
                     *       "createdAt": "2026-11-20T08:15:30.123Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`webhook.disabled`, `webhook.too-many-pending`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/webhook.disabled",
                     *       "title": "Webhook disabled",
                     *       "status": 409,
                     *       "detail": "Nothing is sent to a disabled webhook.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Maximum number of items on the page */
                limit?: number;
                /** @description Only events with a greater sequence. Without `after` and `cursor`, the list starts with the first event of the tenant. At most the sequence of the newest event; not together with `cursor`. */
                after?: number;
                /** @description Only events of these types */
                types?: ("FileCreated" | "FileRenamed" | "FileClosed" | "FileReopened" | "FileDeleted" | "FileTypeCreated" | "FileTypeUpdated" | "FileTypeNumberingChanged" | "FileTypeRetentionChanged" | "DocumentCreated" | "DocumentUpdated" | "DocumentFiled" | "DocumentUnfiled" | "DocumentArchived" | "DocumentUnarchived" | "DocumentDeleted" | "DocumentRestored" | "DocumentPurged" | "DocumentDownloaded" | "DocumentExported" | "DocumentReprocessed" | "DocumentTagged" | "DocumentUntagged" | "ConfidentialityChanged" | "ConfidentialUserAdded" | "ConfidentialUserRemoved" | "DocumentTypeCreated" | "DocumentTypeUpdated" | "DocumentTypeDeactivated" | "DocumentTypeReactivated" | "TagCreated" | "TagRenamed" | "TagDeleted" | "SavedViewCreated" | "SavedViewUpdated" | "SavedViewDeleted" | "RoleCreated" | "RoleUpdated" | "RoleDeleted" | "MemberAdded" | "MemberRoleChanged" | "MemberRemoved" | "InvitationCreated" | "InvitationAccepted" | "InvitationDeclined" | "InvitationRevoked" | "AccessGranted" | "AccessRevoked" | "HoldCreated" | "HoldUpdated" | "HoldReleased" | "HoldItemAdded" | "HoldItemRemoved" | "DisposalCreated" | "DisposalUpdated" | "DisposalDeleted" | "DisposalSubmitted" | "DisposalApproved" | "DisposalRejected" | "DisposalCompleted" | "FileDisposed" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "AuditCheckpointSigned" | "ExportCreated" | "ExportDownloaded" | "ExportDeleted" | "TenantCreated" | "TenantSlugChanged" | "TenantRenamed" | "TenantAdministratorAdded" | "TenantSuspended" | "TenantResumed")[];
            };
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "sequence": 0,
                     *           "id": "0199f7a4-b8e1-7f80-9bd7-0ae0784c7855",
                     *           "type": "FileRenamed",
                     *           "occurredAt": "2026-11-20T08:15:30.123Z",
                     *           "actorId": null,
                     *           "subjectType": "File",
                     *           "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                     *           "related": {
                     *             "fileTypeId": "0199f7a4-6c1e-7b52-9d2e-3f0a51c7e801"
                     *           },
                     *           "checkpoint": "text"
                     *         }
                     *       ],
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    StreamEvents: {
        parameters: {
            query?: {
                /** @description Only events with a greater sequence: the stream begins with the next one. At most the sequence of the newest event. Without it, the stream begins with the events that occur from now on. */
                after?: number;
                /** @description Only events of these types */
                types?: ("FileCreated" | "FileRenamed" | "FileClosed" | "FileReopened" | "FileDeleted" | "FileTypeCreated" | "FileTypeUpdated" | "FileTypeNumberingChanged" | "FileTypeRetentionChanged" | "DocumentCreated" | "DocumentUpdated" | "DocumentFiled" | "DocumentUnfiled" | "DocumentArchived" | "DocumentUnarchived" | "DocumentDeleted" | "DocumentRestored" | "DocumentPurged" | "DocumentDownloaded" | "DocumentExported" | "DocumentReprocessed" | "DocumentTagged" | "DocumentUntagged" | "ConfidentialityChanged" | "ConfidentialUserAdded" | "ConfidentialUserRemoved" | "DocumentTypeCreated" | "DocumentTypeUpdated" | "DocumentTypeDeactivated" | "DocumentTypeReactivated" | "TagCreated" | "TagRenamed" | "TagDeleted" | "SavedViewCreated" | "SavedViewUpdated" | "SavedViewDeleted" | "RoleCreated" | "RoleUpdated" | "RoleDeleted" | "MemberAdded" | "MemberRoleChanged" | "MemberRemoved" | "InvitationCreated" | "InvitationAccepted" | "InvitationDeclined" | "InvitationRevoked" | "AccessGranted" | "AccessRevoked" | "HoldCreated" | "HoldUpdated" | "HoldReleased" | "HoldItemAdded" | "HoldItemRemoved" | "DisposalCreated" | "DisposalUpdated" | "DisposalDeleted" | "DisposalSubmitted" | "DisposalApproved" | "DisposalRejected" | "DisposalCompleted" | "FileDisposed" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "AuditCheckpointSigned" | "ExportCreated" | "ExportDownloaded" | "ExportDeleted" | "TenantCreated" | "TenantSlugChanged" | "TenantRenamed" | "TenantAdministratorAdded" | "TenantSuspended" | "TenantResumed")[];
            };
            header?: {
                /** @description Sequence of the last event that the client has; takes precedence over `after`. Clients for Server-Sent Events send it when they connect again. */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 0
                     *     event: FileRenamed
                     *     data: {"sequence":0,"id":"0199f7a4-b8e1-7f80-9bd7-0ae0784c7855","type":"FileRenamed","occurredAt":"2026-11-20T08:15:30.123Z","actorId":null,"subjectType":"File","subjectId":"0199f7a4-a949-71f4-9c1b-f7b0cffbadcb","related":{"fileTypeId":"0199f7a4-6c1e-7b52-9d2e-3f0a51c7e801"},"checkpoint":"text"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ChangeTenantSlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Slug of the tenant
                 * @example demo
                 */
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "acme"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeTenantSlugBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "acme"
                     *     }
                     */
                    "application/json": components["schemas"]["TenantSlug"];
                };
            };
            /** @description Invalid values; `errors` names each of them (`request.malformed-body`) */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/request.malformed-body",
                     *       "title": "The body cannot be read",
                     *       "status": 400,
                     *       "detail": "The body is not valid JSON in UTF-8, or it is nested too deeply.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d",
                     *       "errors": {
                     *         "$": [
                     *           "The body is not valid JSON in UTF-8, or it is nested too deeply."
                     *         ]
                     *       }
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ValidationProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            /** @description The state of the resource, or of another one, does not allow this (`tenant.slug-unavailable`) */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/tenant.slug-unavailable",
                     *       "title": "Slug unavailable",
                     *       "status": 409,
                     *       "detail": "This slug cannot be used: it is malformed, reserved, or taken.",
                     *       "instance": "urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "live"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "live";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    GetReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "issuer": "available"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ready";
                        /** @enum {string} */
                        issuer: "available" | "unavailable";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    GetRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "description": "https://filing.example/openapi.json",
                     *       "documentation": "https://filing.example/docs",
                     *       "problems": "https://filing.example/problems"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uri
                         * @example https://filing.example/openapi.json
                         */
                        description: string;
                        /**
                         * Format: uri
                         * @example https://filing.example/docs
                         */
                        documentation: string;
                        /**
                         * Format: uri
                         * @example https://filing.example/problems
                         */
                        problems: string;
                    };
                };
            };
            406: components["responses"]["NotAcceptable"];
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    GetOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": {
                        /** @example 3.1.0 */
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    ListProblems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "/problems/file.number-taken",
                     *         "title": "File number taken",
                     *         "status": 409,
                     *         "detail": "Another file of the tenant has this number.",
                     *         "advice": "Choose another number. To find the file that has it, search with q in the list of files; that file may not be visible to you.",
                     *         "operations": [
                     *           "CreateFile"
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /** @example /problems/file.number-taken */
                        type: string;
                        /** @example File number taken */
                        title: string;
                        /**
                         * Format: int32
                         * @example 409
                         */
                        status: number;
                        /**
                         * @description What it means
                         * @example Another file of the tenant has this number.
                         */
                        detail: string;
                        /**
                         * @description What to do
                         * @example Choose another number. To find the file that has it, search with q in the list of files; that file may not be visible to you.
                         */
                        advice: string;
                        /**
                         * @description Operations that return this problem; empty if it occurs before the operation is known
                         * @example [
                         *       "CreateFile"
                         *     ]
                         */
                        operations: string[];
                    }[];
                    /** @example text */
                    "text/html": string;
                };
            };
            406: components["responses"]["NotAcceptable"];
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    GetProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/problems/file.number-taken",
                     *       "title": "File number taken",
                     *       "status": 409,
                     *       "detail": "Another file of the tenant has this number.",
                     *       "advice": "Choose another number. To find the file that has it, search with q in the list of files; that file may not be visible to you.",
                     *       "operations": [
                     *         "CreateFile"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @example /problems/file.number-taken */
                        type: string;
                        /** @example File number taken */
                        title: string;
                        /**
                         * Format: int32
                         * @example 409
                         */
                        status: number;
                        /**
                         * @description What it means
                         * @example Another file of the tenant has this number.
                         */
                        detail: string;
                        /**
                         * @description What to do
                         * @example Choose another number. To find the file that has it, search with q in the list of files; that file may not be visible to you.
                         */
                        advice: string;
                        /**
                         * @description Operations that return this problem; empty if it occurs before the operation is known
                         * @example [
                         *       "CreateFile"
                         *     ]
                         */
                        operations: string[];
                    };
                    /** @example text */
                    "text/html": string;
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    event: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same for each repetition
                 * @example 0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Time of this request, in seconds since 1970
                 * @example 1795478400
                 */
                "webhook-timestamp": string;
                /**
                 * @description One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. Two during 24 hours after RotateWebhookSecret.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "FileRenamed",
                 *       "timestamp": "2026-11-20T08:15:30.123Z",
                 *       "data": {
                 *         "id": "0199f7a4-66a6-7fe8-9509-68d1e659f95e",
                 *         "occurredAt": "2026-11-20T08:15:30.123Z",
                 *         "actorId": null,
                 *         "subjectType": "File",
                 *         "subjectId": "0199f7a4-a949-71f4-9c1b-f7b0cffbadcb",
                 *         "related": {
                 *           "fileTypeId": "0199f7a4-6c1e-7b52-9d2e-3f0a51c7e801"
                 *         },
                 *         "checkpoint": "text",
                 *         "sequence": 1042,
                 *         "type": "FileRenamed",
                 *         "tenantId": "0199f7a4-e9da-786d-9351-cf9a7642d8c5"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPayload"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is repeated later, not before the time in `Retry-After`. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
