import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Language, type Text } from '../../common/messages/languages.js';
import { DecidedFileResponse, DisposalResponse, type DisposalRow, presentDisposal } from './disposals.dto.js';

const NOTICE: Text = {
  en: 'The service has destroyed the files in its database and content store. Backups, replicas of the database and earlier versions in an object store are the responsibility of the operator.',
  de: 'Der Dienst hat die Akten in seiner Datenbank und seinem Inhaltsspeicher vernichtet. Sicherungen, Replikate der Datenbank und frühere Versionen in einem Objektspeicher verantwortet der Betreiber.',
};

@ApiSchema({ name: 'CertificateFile' })
export class CertificateFileResponse extends DecidedFileResponse {
  @ApiProperty({ format: 'date', description: 'In the time zone of the service' })
  closedOn!: string;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'By the rule at the approval' })
  dueOn!: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'Null if it was not destroyed' })
  disposedOn!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    description: 'Destroyed documents, with confidential ones',
  })
  documentCount!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Bytes of all versions of these documents' })
  documentBytes!: number;
}

@ApiSchema({ name: 'DisposalCertificate' })
export class CertificateResponse {
  @ApiProperty({ type: DisposalResponse })
  disposal!: DisposalResponse;

  @ApiProperty({ example: 'building' })
  fileTypeKey!: string;

  @ApiProperty({ example: 'Bauakte', description: 'Name of the file type in the language of the response' })
  fileTypeName!: string;

  @ApiProperty({ example: 'Rita Records', description: 'Name at that time' })
  createdByName!: string;

  @ApiProperty({ example: 'Rita Records' })
  submittedByName!: string;

  @ApiProperty({ example: 'Alice Administrator' })
  approvedByName!: string;

  @ApiProperty({ type: 'integer', format: 'int32', description: 'Number of destroyed files' })
  destroyedFiles!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  destroyedDocuments!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  destroyedBytes!: number;

  @ApiProperty({ type: [CertificateFileResponse], description: 'All files, first closed first' })
  files!: CertificateFileResponse[];

  @ApiProperty({ description: 'What the certificate does not cover', example: NOTICE.en })
  notice!: string;
}

export interface CertifiedType {
  readonly key: string;
  readonly nameDe: string;
  readonly nameEn: string;
}

/** Names of those who made, submitted and approved the disposal, at that time. */
export type Actors = Readonly<Record<'DisposalCreated' | 'DisposalSubmitted' | 'DisposalApproved', string>>;

export function presentCertificate(
  disposal: DisposalRow,
  type: CertifiedType,
  actors: Actors,
  files: CertificateFileResponse[],
  language: Language,
): CertificateResponse {
  const sum = (member: 'documentCount' | 'documentBytes') =>
    files.reduce((total, file) => total + file[member], 0);
  return {
    disposal: presentDisposal(disposal),
    fileTypeKey: type.key,
    fileTypeName: language === 'de' ? type.nameDe : type.nameEn,
    createdByName: actors.DisposalCreated,
    submittedByName: actors.DisposalSubmitted,
    approvedByName: actors.DisposalApproved,
    destroyedFiles: files.filter(({ outcome }) => outcome === 'Destroyed').length,
    destroyedDocuments: sum('documentCount'),
    destroyedBytes: sum('documentBytes'),
    files,
    notice: NOTICE[language],
  };
}
