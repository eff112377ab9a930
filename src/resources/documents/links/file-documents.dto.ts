import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { UuidField } from '../../../platform/http/input/uuid-field.js';
import { sameFile } from '../changes/document-links.repository.js';
import { TITLE_EXAMPLE } from '../document-response.dto.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document.entity.js';

export class MoveDocumentBody {
  @UuidField({ description: 'The open file that the document is in' })
  fromFileId!: string;

  @UuidField({
    conflict: sameFile,
    description: 'Another open file, which may already contain the document',
  })
  toFileId!: string;
}

@ApiSchema({ name: 'FileDocument' })
export class FileDocumentResponse {
  @ApiProperty({ format: 'uuid' })
  documentId!: string;

  @ApiProperty({ example: TITLE_EXAMPLE })
  title!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  documentTypeId!: string | null;

  @ApiProperty({ enum: DOCUMENT_STATUSES })
  status!: DocumentStatus;

  @ApiProperty({ format: 'date-time' })
  filedAt!: string;
}
