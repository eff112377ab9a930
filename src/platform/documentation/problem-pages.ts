import { type OperationObject } from '@nestjs/swagger';
import { escapeHtml, htmlPage } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';
import { ALL_PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';

const TEXTS = {
  en: {
    problems: 'Problems',
    advice: 'What to do',
    operations: 'Operations with this problem',
    all: 'All problems',
  },
  de: {
    problems: 'Probleme',
    advice: 'Abhilfe',
    operations: 'Operationen mit diesem Problem',
    all: 'Alle Probleme',
  },
} as const satisfies Record<Language, object>;

export function problemListPage(language: Language): string {
  const items = ALL_PROBLEM_CODES.map((code) => {
    const { status, title, detail } = PROBLEMS[code];
    const link = `<a href="problems/${code}">${escapeHtml(title[language])}</a>`;
    return `<p>${link} ${status} <code>${code}</code><br>${escapeHtml(detail[language])}</p>`;
  });
  return htmlPage(language, TEXTS[language].problems, `<main>\n${items.join('\n')}\n</main>`);
}

/** @param operations operations that return the problem; empty if it occurs before the operation is known */
export function problemPage(
  code: ProblemCode,
  operations: readonly OperationObject[],
  language: Language,
): string {
  const { status, title, detail, advice } = PROBLEMS[code];
  const texts = TEXTS[language];
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
<h2>${texts.advice}</h2>
<p>${escapeHtml(advice[language])}</p>
${links.length > 0 ? `<h2>${texts.operations}</h2>\n<p>${links.join(', ')}</p>` : ''}
<p><a href="../problems">${texts.all}</a></p>
</main>`,
  );
}
