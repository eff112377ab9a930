import { type ProcessingFailure } from '../vocabulary/processing-failures.js';
import { notifications } from './catalogue.js';
import { type Text } from './languages.js';

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
    File: { en: 'a file', de: 'eine Akte' },
    FileType: { en: 'all files of a type', de: 'alle Akten eines Typs' },
  },
  targetId: null,
  level: {
    Read: { en: 'to read', de: 'zu lesen' },
    Write: { en: 'to read and change', de: 'zu lesen und zu ändern' },
  },
  actorName: null,
};

/**
 * Every notification type: what a client shows for it (docs/adr/0026), and the parameters that its readers get. Texts
 * stay true of whoever reads them, and whenever.
 */
export const NOTIFICATIONS = notifications({
  DocumentProcessingFailed: {
    text: {
      en: 'The content of “{documentTitle}” could not be read: {reason}.',
      de: 'Der Inhalt von „{documentTitle}“ konnte nicht gelesen werden: {reason}.',
    },
    parameters: {
      documentId: null,
      documentTitle: null,
      reason: {
        Encrypted: { en: 'it is encrypted', de: 'er ist verschlüsselt' },
        Corrupted: {
          en: 'it is damaged, or not of the type that it seems to be of',
          de: 'er ist beschädigt oder nicht von dem Typ, nach dem er aussieht',
        },
        TimeLimitExceeded: { en: 'reading it took too long', de: 'das Lesen dauerte zu lange' },
        MemoryLimitExceeded: {
          en: 'reading it took too much memory',
          de: 'das Lesen brauchte zu viel Speicher',
        },
        OutputLimitExceeded: {
          en: 'unpacked, it is too large',
          de: 'ausgepackt ist er zu groß',
        },
        Unreadable: {
          en: 'reading it was aborted repeatedly, for an unknown reason',
          de: 'das Lesen wurde wiederholt aus unbekanntem Grund abgebrochen',
        },
        ContentDamaged: {
          en: 'what is stored is no longer what was uploaded',
          de: 'was gespeichert ist, ist nicht mehr das, was hochgeladen wurde',
        },
        ContentUnavailable: {
          en: 'the service failed at it again and again',
          de: 'der Dienst ist wiederholt daran gescheitert',
        },
      } satisfies Readonly<Record<ProcessingFailure, Text>>,
    },
  },
  DocumentFiled: {
    text: {
      en: '{actorName} filed “{documentTitle}” into the file {fileNumber} ({fileName}).',
      de: '{actorName} hat „{documentTitle}“ in die Akte {fileNumber} ({fileName}) gelegt.',
    },
    parameters: DOCUMENT_IN_FILE,
  },
  DocumentUnfiled: {
    text: {
      en: '{actorName} took “{documentTitle}” out of the file {fileNumber} ({fileName}).',
      de: '{actorName} hat „{documentTitle}“ aus der Akte {fileNumber} ({fileName}) genommen.',
    },
    parameters: DOCUMENT_IN_FILE,
  },
  FileClosed: {
    text: {
      en: '{actorName} closed the file {fileNumber} ({fileName}).',
      de: '{actorName} hat die Akte {fileNumber} ({fileName}) geschlossen.',
    },
    parameters: FILE_BY_ACTOR,
  },
  FileReopened: {
    text: {
      en: '{actorName} reopened the file {fileNumber} ({fileName}).',
      de: '{actorName} hat die Akte {fileNumber} ({fileName}) wieder geöffnet.',
    },
    parameters: FILE_BY_ACTOR,
  },
  ConfidentialAccessGranted: {
    text: {
      en: '{actorName} put you on the list of a confidential document.',
      de: '{actorName} hat Sie auf die Liste eines vertraulichen Dokuments gesetzt.',
    },
    parameters: { documentId: null, actorName: null },
  },
  ConfidentialAccessRevoked: {
    text: {
      en: '{actorName} took you off the list of a confidential document.',
      de: '{actorName} hat Sie von der Liste eines vertraulichen Dokuments gestrichen.',
    },
    parameters: { documentId: null, actorName: null },
  },
  ConfidentialUserAdded: {
    text: {
      en: '{actorName} joined the list of a confidential document that you are on.',
      de: '{actorName} hat sich auf die Liste eines vertraulichen Dokuments gesetzt, auf der Sie stehen.',
    },
    parameters: { documentId: null, userId: null, actorName: null },
  },
  AccessGranted: {
    text: {
      en: '{actorName} allowed you {level} {targetType}.',
      de: '{actorName} hat Ihnen erlaubt, {targetType} {level}.',
    },
    parameters: GRANT_BY_ACTOR,
  },
  AccessRevoked: {
    text: {
      en: '{actorName} no longer allows you {level} {targetType}.',
      de: '{actorName} erlaubt Ihnen nicht mehr, {targetType} {level}.',
    },
    parameters: GRANT_BY_ACTOR,
  },
  InvitationAccepted: {
    text: {
      en: '{email} accepted your invitation.',
      de: '{email} hat Ihre Einladung angenommen.',
    },
    parameters: { invitationId: null, email: null, userId: null },
  },
  RoleChanged: {
    text: {
      en: '{actorName} gave you the role “{roleName}”.',
      de: '{actorName} hat Ihnen die Rolle „{roleName}“ gegeben.',
    },
    parameters: { roleId: null, roleName: null, actorName: null },
  },
});

export type NotificationType = keyof typeof NOTIFICATIONS;

/** The parameters of each type; all are strings. */
export type NotificationParameters = {
  readonly [T in NotificationType]: Readonly<Record<keyof (typeof NOTIFICATIONS)[T]['parameters'], string>>;
};
