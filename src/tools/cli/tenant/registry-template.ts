import { type DataSource } from 'typeorm';
import { newId } from '../../../common/identifier.js';
import { caseFold } from '../../../common/text.js';
import { type Configuration } from '../../../platform/config/configuration.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import {
  DocumentTypesRepository,
  type FieldView,
} from '../../../resources/document-types/document-types.repository.js';
import { DocumentTypeEntity } from '../../../resources/document-types/document-type.entity.js';
import { FileTypeEntity } from '../../../resources/file-types/file-type.entity.js';
import { FileTypesRepository } from '../../../resources/file-types/file-types.repository.js';
import { FileTypeNumberingEntity } from '../../../resources/numbering/numbering.entities.js';
import { NumberingRepository } from '../../../resources/numbering/numbering.repository.js';

export const TEMPLATE_ENTITIES = [DocumentTypeEntity, FileTypeEntity, FileTypeNumberingEntity];

type Field = Omit<FieldView, 'id'>;

const FILE_TYPES = [
  { key: 'subject', nameDe: 'Sachakte', nameEn: 'Subject file', pattern: 'SA-{yyyy}-{seq:4}' },
  { key: 'case', nameDe: 'Vorgangsakte', nameEn: 'Case file', pattern: 'VG-{yyyy}-{seq:5}' },
  { key: 'contract', nameDe: 'Vertragsakte', nameEn: 'Contract file', pattern: 'VT-{yyyy}-{seq:3}' },
  { key: 'personnel', nameDe: 'Personalakte', nameEn: 'Personnel file', pattern: 'PA-{seq:4}' },
] as const;

function field(key: string, type: Field['type'], labelDe: string, labelEn: string, required = false): Field {
  return { key, type, required, labelDe, labelEn, options: null, referenceTarget: null, isRemoved: false };
}

const DOCUMENT_TYPES = [
  {
    key: 'incoming',
    nameDe: 'Posteingang',
    nameEn: 'Incoming mail',
    fields: [
      field('sender', 'Text', 'Absender', 'Sender', true),
      field('receivedOn', 'Date', 'Eingegangen am', 'Received on'),
      field('reference', 'Text', 'Zeichen des Absenders', 'Sender’s reference'),
    ],
  },
  {
    key: 'outgoing',
    nameDe: 'Postausgang',
    nameEn: 'Outgoing mail',
    fields: [
      field('recipient', 'Text', 'Empfänger', 'Recipient', true),
      field('sentOn', 'Date', 'Versandt am', 'Sent on'),
    ],
  },
  { key: 'note', nameDe: 'Vermerk', nameEn: 'Note', fields: [] },
  {
    key: 'invoice',
    nameDe: 'Rechnung',
    nameEn: 'Invoice',
    fields: [
      field('creditor', 'Text', 'Rechnungssteller', 'Creditor', true),
      field('number', 'Text', 'Rechnungsnummer', 'Invoice number'),
      field('amount', 'Money', 'Betrag', 'Amount'),
      field('dueOn', 'Date', 'Fällig am', 'Due on'),
    ],
  },
  {
    key: 'contract',
    nameDe: 'Vertrag',
    nameEn: 'Contract',
    fields: [
      field('partner', 'Text', 'Vertragspartner', 'Partner', true),
      field('validFrom', 'Date', 'Gültig ab', 'Valid from'),
      field('validUntil', 'Date', 'Gültig bis', 'Valid until'),
    ],
  },
] as const;

/** Adds file types with patterns of their numbers, and document types, to a new tenant. Members can change all of it. */
export class RegistryTemplate {
  private readonly fileTypes: FileTypesRepository;
  private readonly documentTypes: DocumentTypesRepository;
  private readonly numberings: NumberingRepository;

  constructor(dataSource: DataSource, configuration: Configuration) {
    this.fileTypes = new FileTypesRepository(dataSource);
    this.documentTypes = new DocumentTypesRepository(dataSource);
    this.numberings = new NumberingRepository(dataSource, configuration);
  }

  async fill(tx: WriteTransaction): Promise<void> {
    for (const { pattern, ...names } of FILE_TYPES) {
      const type = await this.fileTypes.insert(tx, {
        id: newId(),
        sortKey: caseFold(names.nameDe),
        ...names,
      });
      await this.numberings.setPattern(tx, type.id, pattern);
      tx.record({ action: 'FileTypeCreated', subjectId: type.id, summary: summaryOf(names) });
      const summary = `${names.key}: – → ${pattern}`;
      tx.record({ action: 'FileTypeNumberingChanged', subjectId: type.id, summary });
    }
    for (const { fields, ...names } of DOCUMENT_TYPES) {
      const values = { id: newId(), sortKey: caseFold(names.nameDe), isActive: true, ...names };
      const type = await this.documentTypes.insert(tx, values);
      await this.documentTypes.saveFields(
        tx,
        type.id,
        fields.map((view) => ({ ...view, id: newId() })),
      );
      tx.record({ action: 'DocumentTypeCreated', subjectId: type.id, summary: summaryOf(names) });
    }
  }
}

function summaryOf({ key, nameDe, nameEn }: { key: string; nameDe: string; nameEn: string }): string {
  return `${key}: ${nameDe} / ${nameEn}`;
}
