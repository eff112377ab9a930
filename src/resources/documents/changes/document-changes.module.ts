import { Module } from '@nestjs/common';
import { ConfidentialUsersRepository } from './confidential-users.repository.js';
import { DocumentChanges } from './document-changes.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import { DocumentLinksRepository } from './document-links.repository.js';
import { DocumentRules } from './document-rules.js';

@Module({
  providers: [
    ConfidentialUsersRepository,
    DocumentChanges,
    DocumentChangesRepository,
    DocumentLinksRepository,
    DocumentRules,
  ],
  exports: [
    ConfidentialUsersRepository,
    DocumentChanges,
    DocumentChangesRepository,
    DocumentLinksRepository,
    DocumentRules,
  ],
})
export class DocumentChangesModule {}
