import { escapeHtml } from '../../../common/html.js';
import { type Language } from '../../../common/messages/languages.js';
import { type DocumentResponse } from '../../documents/documents.reader.js';
import { type DocumentVersionResponse } from '../../documents/versions/document-versions.reader.js';
import { type FileResponse } from '../../files/files.reader.js';

const TEXTS = {
  en: {
    unfiled: 'Documents without a file',
    closed: 'closed',
    confidential: 'confidential',
    archived: 'archived',
    withoutContent: 'without content',
    version: 'version',
    former: 'Former versions:',
    about: 'This package is complete without the service that made it.',
    data: 'The data of files, documents and versions are in the folder <code>_metadata</code>, one JSON object a line.',
  },
  de: {
    unfiled: 'Dokumente ohne Akte',
    closed: 'geschlossen',
    confidential: 'vertraulich',
    archived: 'archiviert',
    withoutContent: 'ohne Inhalt',
    version: 'Fassung',
    former: 'Frühere Fassungen:',
    about: 'Dieses Paket ist ohne den Dienst vollständig, der es erstellt hat.',
    data: 'Die Daten der Akten, Dokumente und Fassungen stehen im Ordner <code>_metadata</code>, ein JSON-Objekt je Zeile.',
  },
} satisfies Record<Language, object>;

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 60rem; overflow-wrap: anywhere; padding: 1.5rem 1rem 3rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem }
section { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); margin-top: 1.5rem; content-visibility: auto; contain-intrinsic-size: auto 20rem }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 1rem 0 .5rem }
h2 small { display: block; font-size: .9rem; font-weight: normal }
ul { list-style: none; margin: 0; padding: 0 }
li { padding: .35rem 0 }
small { opacity: .75 }
li small { display: block }
a:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
`;
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;

export interface PackageFacts {
  readonly name: string;
  readonly tenantName: string;
  readonly language: Language;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly timeZone: string;
  /** Whether the package has audit entries. */
  readonly hasAuditEntries: boolean;
}

/** A version in the package. `path` begins with `data/`. */
export type PackedVersion = DocumentVersionResponse & { readonly documentId: string; readonly path: string };

/**
 * The parts of `data/index.html`, which shows the contents of a package without a server and without scripts. Every text of
 * the tenant is escaped.
 */
export class IndexPage {
  private readonly texts: (typeof TEXTS)[Language];
  private readonly day: Intl.DateTimeFormat;
  /** Whether no section has begun. */
  private isFirst = true;

  constructor(private readonly facts: PackageFacts) {
    this.texts = TEXTS[facts.language];
    this.day = new Intl.DateTimeFormat(facts.language, { dateStyle: 'medium', timeZone: facts.timeZone });
  }

  get begin(): string {
    const { name, tenantName, language, madeAt } = this.facts;
    return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(name)}</h1>
<small>${escapeHtml(tenantName)} · ${this.dayOf(madeAt)}</small>
<p>${this.texts.about} ${this.texts.data}</p>
`;
  }

  /** Precedes the documents of a file; null: those without one. */
  section(file: FileResponse | null): string {
    const { unfiled, closed } = this.texts;
    const status = file?.status === 'Closed' ? ` · ${closed}` : '';
    const title = file
      ? `${escapeHtml(file.number)} <small>${escapeHtml(file.name)}${status}</small>`
      : unfiled;
    const end = this.isFirst ? '' : '</ul></section>\n';
    this.isFirst = false;
    return `${end}<section><h2>${title}</h2><ul>\n`;
  }

  /** @param versions oldest first */
  document(
    document: DocumentResponse,
    typeName: string | undefined,
    versions: readonly PackedVersion[],
  ): string {
    const { texts } = this;
    const newest = versions.at(-1);
    const title = escapeHtml(document.title);
    const facts = [
      ...(typeName === undefined ? [] : [escapeHtml(typeName)]),
      this.dayOf(document.createdAt),
      newest ? sizeText(newest.size, this.facts.language) : texts.withoutContent,
      ...(document.isConfidential ? [texts.confidential] : []),
      ...(document.status === 'Archived' ? [texts.archived] : []),
    ];
    const former = versions
      .slice(0, -1)
      .map((version) => `<a href="${hrefOf(version)}">${texts.version} ${version.number}</a>`);
    const more = former.length > 0 ? `<small>${texts.former} ${former.join(', ')}</small>` : '';
    return `<li>${newest ? `<a href="${hrefOf(newest)}">${title}</a>` : title}<small>${facts.join(' · ')}</small>${more}</li>\n`;
  }

  get end(): string {
    return `${this.isFirst ? '' : '</ul></section>\n'}</body>\n</html>\n`;
  }

  private dayOf(time: string): string {
    return this.day.format(new Date(time));
  }
}

/** Relative to `data/`. */
function hrefOf({ path }: PackedVersion): string {
  return escapeHtml(path.split('/').slice(1).map(encodeURIComponent).join('/'));
}

function sizeText(bytes: number, language: Language): string {
  const unit = bytes < 1e6 ? 'kilobyte' : 'megabyte';
  const value = bytes / (bytes < 1e6 ? 1e3 : 1e6);
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(value);
}
