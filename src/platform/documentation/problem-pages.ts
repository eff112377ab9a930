import { type OperationObject } from '@nestjs/swagger';
import { escapeHtml, htmlPage } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';
import { ALL_PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';

const WORDS = {
  en: {
    problems: 'Problems',
    advice: 'What to do',
    operations: 'Operations that can answer it',
    all: 'All problems',
  },
  de: {
    problems: 'Probleme',
    advice: 'Abhilfe',
    operations: 'Vorgänge, die so antworten können',
    all: 'Alle Probleme',
  },
} as const satisfies Record<Language, object>;

export function problemListPage(language: Language): string {
  const items = ALL_PROBLEM_CODES.map((code) => {
    const { status, title, detail } = PROBLEMS[code];
    const link = `<a href="problems/${code}">${escapeHtml(title[language])}</a>`;
    return `<p>${link} ${status} <code>${code}</code><br>${escapeHtml(detail[language])}</p>`;
  });
  return htmlPage(language, WORDS[language].problems, `<main>\n${items.join('\n')}\n</main>`);
}

/** @param operations those that answer with it; none when it comes before the operation is known */
export function problemPage(
  code: ProblemCode,
  operations: readonly OperationObject[],
  language: Language,
): string {
  const { status, title, detail, advice } = PROBLEMS[code];
  const words = WORDS[language];
  const links = operations.map(
    ({ operationId, tags: [tag = ''] = [] }) =>
      `<a href="../docs#/${encodeURIComponent(tag)}/${operationId}">${operationId}</a>`,
  );
  return htmlPage(
    language,
    title[language],
    `<main>
<p>${status} <code>/problems/${code}</code></p>
<p>${escapeHtml(detail[language])}</p>
<h2>${words.advice}</h2>
<p>${escapeHtml(advice[language])}</p>
${links.length > 0 ? `<h2>${words.operations}</h2>\n<p>${links.join(', ')}</p>` : ''}
<p><a href="../problems">${words.all}</a></p>
</main>`,
  );
}
