import { type ProcessingFailure } from '../vocabulary/processing-failures.js';
import { type WebhookDisabledReason } from '../vocabulary/webhooks.js';
import { type NotificationKind, fill, notifications } from './catalogue.js';
import { type Language, type Text } from './languages.js';

const DOCUMENT_IN_FILE = {
  documentId: null,
  documentTitle: null,
  fileId: null,
  fileNumber: null,
  fileName: null,
  actorName: null,
};

const FILE_BY_ACTOR = { fileId: null, fileNumber: null, fileName: null, actorName: null };

const DISPOSAL_BY_ACTOR = { disposalId: null, name: null, actorName: null };

const GRANT_BY_ACTOR = {
  grantId: null,
  targetType: {
    File: { en: 'a file', de: 'eine Akte' },
    FileType: { en: 'all files of a type', de: 'alle Akten eines Typs' },
  },
  targetId: null,
  level: {
    Read: { en: 'read', de: 'Lesezugriff' },
    Write: { en: 'read and write', de: 'Lese- und Schreibzugriff' },
  },
  actorName: null,
};

/**
 * Every notification type with its text (docs/adr/0026) and its parameters. A text stays true for every reader and at
 * any later time.
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
          en: 'it is damaged, or its format is not what its name or beginning suggests',
          de: 'er ist beschädigt oder hat ein anderes Format, als Name oder Anfang erkennen lassen',
        },
        TimeLimitExceeded: { en: 'reading it took too long', de: 'das Lesen dauerte zu lange' },
        MemoryLimitExceeded: {
          en: 'reading it took too much memory',
          de: 'das Lesen brauchte zu viel Speicher',
        },
        OutputLimitExceeded: {
          en: 'it is too large when unpacked',
          de: 'er ist entpackt zu groß',
        },
        ConverterMissing: {
          en: 'this service has no program for its format',
          de: 'dieser Dienst hat kein Programm für sein Format',
        },
        Unreadable: {
          en: 'reading it was aborted several times for an unknown reason',
          de: 'das Lesen wurde mehrmals aus unbekanntem Grund abgebrochen',
        },
        ContentDamaged: {
          en: 'the stored content differs from the uploaded content',
          de: 'der gespeicherte Inhalt weicht vom hochgeladenen ab',
        },
        ContentUnavailable: {
          en: 'the service could not load it after several attempts',
          de: 'der Dienst konnte ihn auch nach mehreren Versuchen nicht laden',
        },
      } satisfies Readonly<Record<ProcessingFailure, Text>>,
    },
  },
  DocumentFiled: {
    text: {
      en: '{actorName} filed “{documentTitle}” into the file {fileNumber} ({fileName}).',
      de: '{actorName} hat „{documentTitle}“ der Akte {fileNumber} ({fileName}) hinzugefügt.',
    },
    parameters: DOCUMENT_IN_FILE,
  },
  DocumentUnfiled: {
    text: {
      en: '{actorName} unfiled “{documentTitle}” from the file {fileNumber} ({fileName}).',
      de: '{actorName} hat „{documentTitle}“ aus der Akte {fileNumber} ({fileName}) entfernt.',
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
      en: '{actorName} added you to the access list of a confidential document.',
      de: 'Aufnahme in die Zugriffsliste eines vertraulichen Dokuments durch {actorName}.',
    },
    parameters: { documentId: null, actorName: null },
  },
  ConfidentialAccessRevoked: {
    text: {
      en: '{actorName} removed you from the access list of a confidential document.',
      de: 'Streichung von der Zugriffsliste eines vertraulichen Dokuments durch {actorName}.',
    },
    parameters: { documentId: null, actorName: null },
  },
  ConfidentialUserAdded: {
    text: {
      en: '{actorName} joined the access list of a confidential document; you are on the same list.',
      de: '{actorName} steht jetzt ebenfalls auf der Zugriffsliste eines vertraulichen Dokuments.',
    },
    parameters: { documentId: null, userId: null, actorName: null },
  },
  AccessGranted: {
    text: {
      en: '{actorName} granted you {level} access to {targetType}.',
      de: '{actorName} hat {level} auf {targetType} erteilt.',
    },
    parameters: GRANT_BY_ACTOR,
  },
  AccessRevoked: {
    text: {
      en: '{actorName} revoked your {level} access to {targetType}.',
      de: '{actorName} hat {level} auf {targetType} widerrufen.',
    },
    parameters: GRANT_BY_ACTOR,
  },
  InvitationAccepted: {
    text: {
      en: '{email} accepted your invitation.',
      de: '{email} hat die Einladung angenommen.',
    },
    parameters: { invitationId: null, email: null, userId: null },
  },
  RoleChanged: {
    text: {
      en: '{actorName} assigned you the role “{roleName}”.',
      de: '{actorName} hat die Rolle „{roleName}“ zugewiesen.',
    },
    parameters: { roleId: null, roleName: null, actorName: null },
  },
  ExportReady: {
    text: {
      en: 'The export “{name}” is ready to download.',
      de: 'Der Export „{name}“ steht zum Herunterladen bereit.',
    },
    parameters: { exportId: null, name: null },
  },
  ExportFailed: {
    text: {
      en: 'The export “{name}” failed.',
      de: 'Der Export „{name}“ ist fehlgeschlagen.',
    },
    parameters: { exportId: null, name: null },
  },
  DisposalSubmitted: {
    text: {
      en: '{actorName} submitted the disposal “{name}” for approval.',
      de: '{actorName} hat die Aussonderung „{name}“ zur Genehmigung vorgelegt.',
    },
    parameters: DISPOSAL_BY_ACTOR,
  },
  DisposalApproved: {
    text: {
      en: '{actorName} approved the disposal “{name}”.',
      de: '{actorName} hat die Aussonderung „{name}“ genehmigt.',
    },
    parameters: DISPOSAL_BY_ACTOR,
  },
  DisposalRejected: {
    text: {
      en: '{actorName} rejected the disposal “{name}”.',
      de: '{actorName} hat die Aussonderung „{name}“ zurückgewiesen.',
    },
    parameters: DISPOSAL_BY_ACTOR,
  },
  DisposalCompleted: {
    text: {
      en: 'The disposal “{name}”, approved by {actorName}, is completed.',
      de: 'Die Aussonderung „{name}“, genehmigt von {actorName}, ist abgeschlossen.',
    },
    parameters: DISPOSAL_BY_ACTOR,
  },
  WebhookDisabled: {
    text: {
      en: 'A webhook that you created was disabled: {reason}.',
      de: 'Ein selbst angelegter Webhook wurde deaktiviert: {reason}.',
    },
    parameters: {
      webhookId: null,
      reason: {
        Manual: { en: 'another member disabled it', de: 'ein anderes Mitglied hat ihn deaktiviert' },
        Gone: {
          en: 'the receiver answered that it no longer exists (410)',
          de: 'der Empfänger antwortete, dass es ihn nicht mehr gibt (410)',
        },
        Failing: {
          en: 'all deliveries failed for five days',
          de: 'fünf Tage lang schlugen alle Zustellungen fehl',
        },
        CreatorLostRight: {
          en: 'you no longer have the permission to read the audit log',
          de: 'die Berechtigung zum Lesen des Protokolls fehlt inzwischen',
        },
      } satisfies Readonly<Record<WebhookDisabledReason, Text>>,
    },
  },
});

export type NotificationType = keyof typeof NOTIFICATIONS;

export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as NotificationType[];

export type NotificationParameters = {
  readonly [T in NotificationType]: Readonly<Record<keyof (typeof NOTIFICATIONS)[T]['parameters'], string>>;
};

/** The sentence of a notification. Null for a type that this release does not have. */
export function notificationText(
  type: string,
  parameters: Readonly<Record<string, string>>,
  language: Language,
): string | null {
  if (!Object.hasOwn(NOTIFICATIONS, type)) return null;
  const kind: NotificationKind = NOTIFICATIONS[type as NotificationType];
  const values: Record<string, string> = {};
  for (const [name, labels] of Object.entries(kind.parameters)) {
    const value = parameters[name] ?? '';
    values[name] = labels && Object.hasOwn(labels, value) ? (labels[value]?.[language] ?? value) : value;
  }
  return fill(kind.text[language], values);
}
