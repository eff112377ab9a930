import { escapeHtml, htmlPage } from '../../common/html.js';
import { type Language, type Text } from '../../common/messages/languages.js';
import { type CertificateFileResponse, type CertificateResponse } from './certificates.dto.js';

const TEXTS = {
  title: { en: 'Certificate of disposal', de: 'Aussonderungsnachweis' },
  name: { en: 'Disposal', de: 'Aussonderung' },
  type: { en: 'File type', de: 'Aktentyp' },
  rule: { en: 'Retention rule', de: 'Aufbewahrungsfrist' },
  since: { en: 'since', de: 'seit' },
  made: { en: 'Made by', de: 'Angelegt von' },
  submitted: { en: 'Submitted by', de: 'Vorgelegt von' },
  approved: { en: 'Approved by', de: 'Genehmigt von' },
  completed: { en: 'Completed', de: 'Abgeschlossen' },
  totals: { en: 'Destroyed', de: 'Vernichtet' },
  files: { en: 'files', de: 'Akten' },
  documents: { en: 'documents', de: 'Dokumente' },
  bytes: { en: 'bytes', de: 'Bytes' },
  number: { en: 'Number', de: 'Aktenzeichen' },
  closed: { en: 'Closed', de: 'Geschlossen' },
  due: { en: 'To be kept until', de: 'Aufzubewahren bis' },
  outcome: { en: 'Outcome', de: 'Ergebnis' },
  disposed: { en: 'Destroyed on', de: 'Vernichtet am' },
  count: { en: 'Documents', de: 'Dokumente' },
} satisfies Readonly<Record<string, Text>>;

const OUTCOMES: Readonly<Record<string, Text>> = {
  Destroy: { en: 'destroyed', de: 'vernichtet' },
  Transferred: { en: 'transferred and destroyed', de: 'abgegeben und vernichtet' },
  Keep: { en: 'kept until', de: 'aufbewahrt bis' },
  NotClosed: { en: 'skipped: not closed', de: 'übersprungen: nicht geschlossen' },
  NotDue: { en: 'skipped: not due', de: 'übersprungen: nicht fällig' },
  Held: { en: 'skipped: held', de: 'übersprungen: Löschsperre' },
};

const STARTS: Readonly<Record<string, Text>> = {
  Closing: { en: 'after the day of closing', de: 'nach dem Tag der Schließung' },
  EndOfYearOfClosing: {
    en: 'after the end of the year of closing',
    de: 'nach dem Ende des Jahres der Schließung',
  },
};

const DISPOSITIONS: Readonly<Record<string, Text>> = {
  Destroy: { en: 'then destroy', de: 'dann vernichten' },
  Transfer: { en: 'then transfer to an archive', de: 'dann an ein Archiv abgeben' },
  Review: { en: 'then decide', de: 'dann entscheiden' },
};

/** The certificate as a page to print. */
export function certificatePage(certificate: CertificateResponse, language: Language): string {
  const say = (text: keyof typeof TEXTS) => TEXTS[text][language];
  const { disposal, destroyedFiles, destroyedDocuments, destroyedBytes } = certificate;
  const { period, startsAt, disposition } = disposal;
  const by = (name: string, at: string | null) => `${name}, ${minute(at)}`;
  const facts: [keyof typeof TEXTS, string][] = [
    ['name', `${disposal.name} (${disposal.id})`],
    ['type', `${certificate.fileTypeName} (${certificate.fileTypeKey})`],
    [
      'rule',
      `${durationOf(period, language)} ${STARTS[startsAt]?.[language]}, ${DISPOSITIONS[disposition]?.[language]} (${say('since')} ${minute(disposal.ruleChangedAt)})`,
    ],
    ['made', by(certificate.createdByName, disposal.createdAt)],
    ['submitted', by(certificate.submittedByName, disposal.submittedAt)],
    ['approved', by(certificate.approvedByName, disposal.approvedAt)],
    ['completed', minute(disposal.completedAt)],
    [
      'totals',
      `${destroyedFiles} ${say('files')}, ${destroyedDocuments} ${say('documents')}, ${destroyedBytes} ${say('bytes')}`,
    ],
  ];
  const columns = (['number', 'closed', 'due', 'outcome', 'disposed', 'count', 'bytes'] as const).map(
    (column) => `<th scope="col">${say(column)}</th>`,
  );
  const rows = certificate.files.map((file) => {
    const cells = [
      ...[file.number, file.closedOn, file.dueOn ?? '', outcomeOf(file, language), file.disposedOn ?? ''],
      ...[String(file.documentCount), String(file.documentBytes)],
    ];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  });
  return htmlPage(
    language,
    say('title'),
    `<dl>${facts.map(([text, value]) => `<dt>${say(text)}</dt><dd>${escapeHtml(value)}</dd>`).join('\n')}</dl>
<table>
<thead><tr>${columns.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p>${escapeHtml(certificate.notice)}</p>`,
  );
}

/** A time in ISO 8601, up to the minute. */
function minute(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** @param period whole years or months, `P10Y` or `P18M` */
function durationOf(period: string, language: Language): string {
  const unit = period.endsWith('Y') ? 'year' : 'month';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Number(period.slice(1, -1)),
  );
}

function outcomeOf(
  { decision, reference, keepUntil, skippedBecause }: CertificateFileResponse,
  language: Language,
): string {
  const text = OUTCOMES[skippedBecause ?? decision ?? '']?.[language] ?? '';
  if (skippedBecause) return text;
  return [text, keepUntil, reference && `(${reference})`].filter(Boolean).join(' ');
}
