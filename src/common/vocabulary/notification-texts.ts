import { type NotificationParameters, type NotificationType } from './notifications.js';
import { type ProcessingFailure } from './processing-failures.js';

/** How the value of a parameter is said within the sentence. */
export interface ValueWording {
  readonly labelEn: string;
  readonly labelDe: string;
}

/** What a client shows for a notification: `{parameter}` is where its value, or what is said for it, belongs. */
export interface NotificationText<Parameter extends string = string> {
  readonly textEn: string;
  readonly textDe: string;
  /** All parameters; those whose values are codes with what is said for each value. */
  readonly parameters: Readonly<Record<Parameter, Readonly<Record<string, ValueWording>> | null>>;
}

const DOCUMENT_IN_FILE = {
  documentId: null,
  documentTitle: null,
  fileId: null,
  fileNumber: null,
  fileName: null,
  actorName: null,
};

const FILE_BY_ACTOR = { fileId: null, fileNumber: null, fileName: null, actorName: null };

const GRANT_BY_ACTOR = {
  grantId: null,
  targetType: {
    File: { labelEn: 'a file', labelDe: 'eine Akte' },
    FileType: { labelEn: 'all files of a type', labelDe: 'alle Akten eines Typs' },
  },
  targetId: null,
  level: {
    Read: { labelEn: 'to read', labelDe: 'zu lesen' },
    Write: { labelEn: 'to read and change', labelDe: 'zu lesen und zu ändern' },
  },
  actorName: null,
};

/** Every notification type in words (docs/adr/0026). Sentences stay true of whoever reads them, and whenever. */
export const NOTIFICATION_TEXTS: {
  readonly [T in NotificationType]: NotificationText<keyof NotificationParameters[T] & string>;
} = {
  DocumentProcessingFailed: {
    textEn: 'The content of “{documentTitle}” could not be read: {reason}.',
    textDe: 'Der Inhalt von „{documentTitle}“ konnte nicht gelesen werden: {reason}.',
    parameters: {
      documentId: null,
      documentTitle: null,
      reason: {
        Encrypted: { labelEn: 'it is encrypted', labelDe: 'er ist verschlüsselt' },
        Corrupted: {
          labelEn: 'it is damaged, or not of the type that it seems to be of',
          labelDe: 'er ist beschädigt oder nicht von dem Typ, nach dem er aussieht',
        },
        TimeLimitExceeded: { labelEn: 'reading it took too long', labelDe: 'das Lesen dauerte zu lange' },
        MemoryLimitExceeded: {
          labelEn: 'reading it took too much memory',
          labelDe: 'das Lesen brauchte zu viel Speicher',
        },
        OutputLimitExceeded: {
          labelEn: 'unpacked, it is too large',
          labelDe: 'ausgepackt ist er zu groß',
        },
        Unreadable: {
          labelEn: 'reading it was aborted repeatedly, for an unknown reason',
          labelDe: 'das Lesen wurde wiederholt aus unbekanntem Grund abgebrochen',
        },
        ContentDamaged: {
          labelEn: 'what is stored is no longer what was uploaded',
          labelDe: 'was gespeichert ist, ist nicht mehr das, was hochgeladen wurde',
        },
        ContentUnavailable: {
          labelEn: 'the service failed at it again and again',
          labelDe: 'der Dienst ist wiederholt daran gescheitert',
        },
      } satisfies Readonly<Record<ProcessingFailure, ValueWording>>,
    },
  },
  DocumentFiled: {
    textEn: '{actorName} filed “{documentTitle}” into the file {fileNumber} ({fileName}).',
    textDe: '{actorName} hat „{documentTitle}“ in die Akte {fileNumber} ({fileName}) gelegt.',
    parameters: DOCUMENT_IN_FILE,
  },
  DocumentUnfiled: {
    textEn: '{actorName} took “{documentTitle}” out of the file {fileNumber} ({fileName}).',
    textDe: '{actorName} hat „{documentTitle}“ aus der Akte {fileNumber} ({fileName}) genommen.',
    parameters: DOCUMENT_IN_FILE,
  },
  FileClosed: {
    textEn: '{actorName} closed the file {fileNumber} ({fileName}).',
    textDe: '{actorName} hat die Akte {fileNumber} ({fileName}) geschlossen.',
    parameters: FILE_BY_ACTOR,
  },
  FileReopened: {
    textEn: '{actorName} reopened the file {fileNumber} ({fileName}).',
    textDe: '{actorName} hat die Akte {fileNumber} ({fileName}) wieder geöffnet.',
    parameters: FILE_BY_ACTOR,
  },
  ConfidentialAccessGranted: {
    textEn: '{actorName} put you on the list of a confidential document.',
    textDe: '{actorName} hat Sie auf die Liste eines vertraulichen Dokuments gesetzt.',
    parameters: { documentId: null, actorName: null },
  },
  ConfidentialAccessRevoked: {
    textEn: '{actorName} took you off the list of a confidential document.',
    textDe: '{actorName} hat Sie von der Liste eines vertraulichen Dokuments gestrichen.',
    parameters: { documentId: null, actorName: null },
  },
  ConfidentialUserAdded: {
    textEn: '{actorName} joined the list of a confidential document that you are on.',
    textDe: '{actorName} hat sich auf die Liste eines vertraulichen Dokuments gesetzt, auf der Sie stehen.',
    parameters: { documentId: null, userId: null, actorName: null },
  },
  AccessGranted: {
    textEn: '{actorName} allowed you {level} {targetType}.',
    textDe: '{actorName} hat Ihnen erlaubt, {targetType} {level}.',
    parameters: GRANT_BY_ACTOR,
  },
  AccessRevoked: {
    textEn: '{actorName} no longer allows you {level} {targetType}.',
    textDe: '{actorName} erlaubt Ihnen nicht mehr, {targetType} {level}.',
    parameters: GRANT_BY_ACTOR,
  },
  InvitationAccepted: {
    textEn: '{email} accepted your invitation.',
    textDe: '{email} hat Ihre Einladung angenommen.',
    parameters: { invitationId: null, email: null, userId: null },
  },
  RoleChanged: {
    textEn: '{actorName} gave you the role “{roleName}”.',
    textDe: '{actorName} hat Ihnen die Rolle „{roleName}“ gegeben.',
    parameters: { roleId: null, roleName: null, actorName: null },
  },
};
