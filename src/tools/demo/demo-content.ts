import { type components } from '../../../clients/typescript/client.js';
import { DEMO_DOMAIN } from '../../common/email-address.js';
import { type BuiltInRoleKey } from '../../common/vocabulary/built-in-roles.js';
import { type Permission } from '../../common/vocabulary/permissions.js';

export const DEMO_TENANT = { slug: 'demo', name: 'Stadtverwaltung Musterstadt' } as const;

/** Name of the tenant until it is complete. A start that finds this name completes the tenant. */
export const UNFINISHED_NAME = 'Stadtverwaltung Musterstadt (being set up)';

export const DEMO_FILE_TYPES = [
  {
    key: 'building',
    nameDe: 'Bauakte',
    nameEn: 'Building file',
    pattern: 'BAU-{yyyy}-{seq:4}',
    retention: { period: 'P30Y', startsAt: 'EndOfYearOfClosing', disposition: 'Review' },
  },
  {
    key: 'personnel',
    nameDe: 'Personalakte',
    nameEn: 'Personnel file',
    pattern: 'PER-{seq:4}',
    retention: { period: 'P5Y', startsAt: 'EndOfYearOfClosing', disposition: 'Destroy' },
  },
  {
    key: 'procurement',
    nameDe: 'Vergabeakte',
    nameEn: 'Procurement file',
    pattern: 'VG-{yyyy}-{seq:3}',
    retention: { period: 'P10Y', startsAt: 'EndOfYearOfClosing', disposition: 'Destroy' },
  },
  {
    key: 'council',
    nameDe: 'Sitzungsakte',
    nameEn: 'Council file',
    pattern: 'RAT-{yyyy}-{seq:2}',
    retention: { period: 'P10Y', startsAt: 'Closing', disposition: 'Transfer' },
  },
] as const;

export const DEMO_TAGS = ['Dringend', 'Zur Unterschrift', 'Original liegt vor', 'Öffentlich'] as const;

type DocumentTypeKey = 'permit' | 'contract';

type Body = components['schemas']['CreateDocumentTypeBody'];
type Field = components['schemas']['DocumentTypeFieldBody'];

const field = (
  key: string,
  type: Field['type'],
  labelDe: string,
  labelEn: string,
  more: Partial<Field> = {},
): Field => ({ key, type, required: false, labelDe, labelEn, ...more });

export const DEMO_DOCUMENT_TYPES: readonly (Body & { key: DocumentTypeKey })[] = [
  {
    key: 'permit',
    nameDe: 'Genehmigung',
    nameEn: 'Permit',
    fields: [
      field('reference', 'Text', 'Aktenzeichen', 'Reference', { required: true }),
      field('issuedOn', 'Date', 'Erteilt am', 'Issued on'),
      field('kind', 'Enumeration', 'Art', 'Kind', {
        options: [
          { key: 'building', labelDe: 'Baugenehmigung', labelEn: 'Building permit' },
          { key: 'sign', labelDe: 'Werbeanlage', labelEn: 'Advertising sign' },
        ],
      }),
    ],
  },
  {
    key: 'contract',
    nameDe: 'Vertrag',
    nameEn: 'Contract',
    fields: [
      field('partner', 'Text', 'Vertragspartner', 'Partner', { required: true }),
      field('value', 'Money', 'Wert', 'Value'),
      field('months', 'Number', 'Laufzeit in Monaten', 'Term in months'),
      field('award', 'Reference', 'Vergabeakte', 'Procurement file', { referenceTarget: 'File' }),
    ],
  },
];

export const DEMO_ROLE: { name: string; permissions: Permission[] } = {
  name: 'Schriftführung',
  permissions: ['files.read', 'documents.read', 'tags.read'],
};

export const DEMO_INVITATION = {
  email: `berta.baumann@${DEMO_DOMAIN}`,
  roleKey: 'viewer',
  message: 'Willkommen im Bauamt!',
} as const;

/** Each user with a role in `by` gets this view. */
export const DEMO_SAVED_VIEW = {
  name: 'Genehmigungen des Jahres 2026',
  by: ['administrator', 'editor'],
  type: 'permit',
  condition: { fieldKey: 'issuedOn', operator: 'GreaterThanOrEqual', value: '2026-01-01' },
} as const;

/** The first is of all files of a type, with its key. */
export const DEMO_EXPORTS = [
  { name: 'Bauakten', fileType: 'building' },
  { name: 'Gesamter Bestand', fileType: null },
] as const;

/** The name is reserved for documentation (RFC 2606), so deliveries fail. */
export const DEMO_WEBHOOKS = [
  {
    url: 'https://receiver.example/events',
    description: 'Bürgerportal',
    types: ['FileCreated', 'FileClosed'],
  },
  { url: 'https://receiver.example/archive', description: 'Archiv', types: ['FileClosed'] },
] as const;

/** Holds, with the numbers of the files that they contain. */
export const DEMO_HOLDS = [
  {
    name: 'Nachprüfung Büromöbel',
    reason: 'Nachprüfungsantrag eines Bieters bei der Vergabekammer',
    files: ['VG-2025-102'],
  },
  { name: 'Prüfung Winterdienst', reason: 'Prüfung durch den Rechnungshof', files: ['VG-2026-015'] },
] as const;

/** Disposals of due files, with the last step that the demo takes; each gathers what the ones before it left. */
export const DEMO_DISPOSALS = [
  { name: 'Personalakten bis 2001', dueBefore: '2007-01-01', until: 'approve' },
  { name: 'Personalakten 2002', dueBefore: '2008-01-01', until: 'create' },
  { name: 'Personalakten 2003', dueBefore: '2009-01-01', until: 'create' },
  { name: 'Personalakten 2004', dueBefore: '2010-01-01', until: 'create' },
  { name: 'Personalakten 2005', dueBefore: '2011-01-01', until: 'submit' },
  { name: 'Personalakten 2006', dueBefore: '2012-01-01', until: 'submit' },
] as const;

/** Numbers of the only files to which the guest has access. */
export const DEMO_GRANTED_FILES = ['BAU-2026-0001'] as const;

type FileTypeKey = (typeof DEMO_FILE_TYPES)[number]['key'];
type TagName = (typeof DEMO_TAGS)[number];

export interface DemoDocument {
  readonly title: string;
  /** Role of the user who creates it. Default: that of the file. */
  readonly by?: BuiltInRoleKey;
  readonly tags?: readonly TagName[];
  readonly type?: DocumentTypeKey;
  readonly fields?: Readonly<Record<string, string | { amount: string; currency: string }>>;
  /** Makes the document confidential: visible only to its creator and the users with these roles. */
  readonly confidentialTo?: readonly BuiltInRoleKey[];
  /** Status set directly after creation; only for documents without content. */
  readonly state?: 'Archived' | 'Deleted';
  /** Pages of a PDF as content. A document with neither `pdf` nor `text` exists only on paper. */
  readonly pdf?: readonly string[];
  readonly text?: string;
}

export interface DemoFile {
  readonly number: string;
  readonly name: string;
  readonly type: FileTypeKey;
  readonly by: BuiltInRoleKey;
  /** Whether the records manager closes the file after its documents were created. */
  readonly closed?: boolean;
  /** Day on which the file was closed, if not today. */
  readonly closedOn?: string;
  readonly documents: readonly DemoDocument[];
}

/** Files that were closed long ago: number, name, type, day of closing. */
const OLD_FILES = [
  ['PER-0003', 'Krause, Helga', 'personnel', '2001-06-30'],
  ['PER-0004', 'Lehmann, Otto', 'personnel', '2001-06-30'],
  ['PER-0005', 'Vogt, Inge', 'personnel', '2002-06-30'],
  ['PER-0006', 'Brandt, Karl', 'personnel', '2002-06-30'],
  ['PER-0007', 'Seidel, Rolf', 'personnel', '2003-06-30'],
  ['PER-0008', 'Hartmann, Ute', 'personnel', '2004-06-30'],
  ['PER-0009', 'Busch, Erwin', 'personnel', '2005-06-30'],
  ['PER-0010', 'Kuhn, Marga', 'personnel', '2006-06-30'],
  ['BAU-1989-0012', 'Garagen Bahnhofstraße', 'building', '1992-03-31'],
] as const;

function openFile(
  number: string,
  name: string,
  type: FileTypeKey,
  by: BuiltInRoleKey,
  documents: readonly DemoDocument[],
): DemoFile {
  return { number, name, type, by, documents };
}

function closedFile(...file: Parameters<typeof openFile>): DemoFile {
  return { ...openFile(...file), closed: true };
}

export const DEMO_FILES: readonly DemoFile[] = [
  ...OLD_FILES.map(([number, name, type, closedOn]): DemoFile => {
    const note = { title: `Schlussvermerk ${number}`, text: 'Die Akte ist abgeschlossen.\n' };
    return { ...closedFile(number, name, type, 'records_manager', [note]), closedOn };
  }),
  openFile('BAU-2026-0001', 'Neubau Feuerwache Nord', 'building', 'editor', [
    {
      title: 'Bauantrag Feuerwache Nord',
      tags: ['Original liegt vor'],
      pdf: [
        'Bauantrag\nNeubau der Feuerwache Nord\nFlurstueck 117/4, Gemarkung Musterstadt',
        'Anlagen: Lageplan, Statik, Brandschutzkonzept',
      ],
    },
    {
      title: 'Stellungnahme Brandschutz',
      text: 'Gegen das Vorhaben bestehen aus Sicht des Brandschutzes keine Bedenken.\n',
    },
    {
      title: 'Baugenehmigung',
      by: 'records_manager',
      type: 'permit',
      fields: { reference: '2026-0001', issuedOn: '2026-06-15', kind: 'building' },
      tags: ['Zur Unterschrift'],
      pdf: ['Baugenehmigung Nr. 2026-0001', 'Nebenbestimmungen 1 bis 14', 'Rechtsbehelfsbelehrung'],
    },
  ]),
  openFile('BAU-2026-0002', 'Sanierung Grundschule Südstraße', 'building', 'editor', [
    {
      title: 'Schadstoffgutachten',
      tags: ['Dringend'],
      pdf: [
        'Gutachten ueber Schadstoffe im Altbau',
        'Ergebnis: Asbest in den Bodenbelaegen des Obergeschosses',
      ],
    },
    {
      title: 'Elternbrief zum Umzug in das Ausweichquartier',
      tags: ['Öffentlich'],
      text: 'Liebe Eltern,\n\nwährend der Sanierung zieht die Schule in die Nordstraße 12.\n',
    },
  ]),
  closedFile('BAU-2025-0117', 'Carport Lindenweg 3', 'building', 'editor', [
    { title: 'Anzeige eines Carports', pdf: ['Bauanzeige Carport Lindenweg 3'] },
  ]),
  openFile('BAU-2026-0003', 'Werbeanlage Marktplatz 8', 'building', 'editor', [
    { title: 'Ansichtszeichnung', pdf: ['Ansicht der Werbeanlage, Massstab 1:50'] },
  ]),
  openFile('VG-2026-014', 'Beschaffung Löschfahrzeug HLF 20', 'procurement', 'records_manager', [
    {
      title: 'Leistungsverzeichnis',
      pdf: ['Leistungsverzeichnis HLF 20', 'Los 1: Fahrgestell', 'Los 2: Aufbau', 'Los 3: Beladung'],
    },
    {
      title: 'Bekanntmachung',
      tags: ['Öffentlich'],
      text: 'Offenes Verfahren nach VgV. Angebotsfrist: 15. Januar 2027, 12 Uhr.\n',
    },
    { title: 'Angebot Bieter 1 (Papier)', tags: ['Original liegt vor'], state: 'Archived' },
    { title: 'Angebot Bieter 1 (doppelt erfasst)', state: 'Deleted' },
  ]),
  openFile('VG-2026-015', 'Winterdienst 2026/2027', 'procurement', 'records_manager', [
    {
      title: 'Rahmenvertrag Winterdienst',
      type: 'contract',
      fields: {
        partner: 'Räumdienst Süd GmbH',
        value: { amount: '84500.00', currency: 'EUR' },
        months: '24',
      },
      tags: ['Zur Unterschrift'],
      pdf: ['Rahmenvertrag ueber Leistungen des Winterdienstes', 'Anlage: Streuplan'],
    },
  ]),
  closedFile('VG-2025-102', 'Büromöbel Rathaus', 'procurement', 'records_manager', [
    { title: 'Abnahmeprotokoll', text: 'Alle Möbel geliefert und mängelfrei abgenommen.\n' },
  ]),
  openFile('PER-0048', 'Weiß, Jürgen', 'personnel', 'administrator', [
    {
      title: 'Arbeitsvertrag',
      confidentialTo: ['records_manager'],
      tags: ['Original liegt vor'],
      pdf: ['Arbeitsvertrag', 'Entgeltgruppe 9b'],
    },
  ]),
  openFile('PER-0051', 'Çelik, Aylin', 'personnel', 'administrator', [
    {
      title: 'Beurteilung zur Probezeit',
      text: 'Frau Çelik hat die Probezeit mit sehr gutem Erfolg abgeschlossen.\n',
    },
  ]),
  closedFile('RAT-2026-09', 'Ratssitzung September 2026', 'council', 'administrator', [
    {
      title: 'Tagesordnung',
      by: 'records_manager',
      tags: ['Öffentlich'],
      text: '1. Eröffnung\n2. Haushaltssatzung 2027\n3. Feuerwache Nord\n',
    },
    {
      title: 'Niederschrift',
      by: 'records_manager',
      tags: ['Öffentlich'],
      pdf: ['Niederschrift der Ratssitzung', 'Beschluss: einstimmig'],
    },
  ]),
  openFile('RAT-2026-11', 'Ratssitzung November 2026', 'council', 'records_manager', [
    { title: 'Einladung', tags: ['Öffentlich'], pdf: ['Einladung zur Ratssitzung am 26. November 2026'] },
  ]),
  openFile('RAT-2026-12', 'Ratssitzung Dezember 2026', 'council', 'records_manager', []),
];
