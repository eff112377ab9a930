import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { escapeHtml } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';
import { type DescribedOperation, type ProblemDescription } from './problem-catalogue.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; --line: #8888; --soft: #8881 }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1rem 4rem }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
ul { list-style: none; margin: 0; padding: 0 }
li { border-top: 1px solid var(--line); padding: .6rem 0 }
li p { margin: .1rem 0 0 }
li > a { font-weight: 600 }
.operations { display: flex; flex-wrap: wrap; gap: .4rem }
.operations li { border: 1px solid var(--line); border-radius: .4rem; padding: .1rem .5rem }
.operations a { font-weight: 400 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
code { overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft) }
.status { border: 1px solid currentColor; border-radius: .4rem; padding: .1rem .5rem; font-variant-numeric: tabular-nums }
a:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The one style sheet, and nothing else: no script, no picture, no form, no frame around it. */
export const PROBLEM_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const WORDS = {
  en: {
    service: 'filing service',
    problems: 'Problems',
    introduction: 'Every kind of problem that the service answers with, by status.',
    meaning: 'What it means',
    occasion: 'When it comes',
    advice: 'What to do',
    answer: 'How it is answered',
    form: 'As <code>application/problem+json</code> (RFC 9457); <code>detail</code> may say more than here, and <code>instance</code> carries the id of the request.',
    before: 'On any request, before it is known which operation it asks for.',
    always: 'Any operation can answer it, whatever it does.',
    but: 'Any operation can answer it but these:',
    some: 'These operations can answer it:',
    all: 'All problems',
  },
  de: {
    service: 'Aktenablage',
    problems: 'Probleme',
    introduction: 'Jede Art von Problem, mit der der Dienst antwortet, nach Status.',
    meaning: 'Was es heißt',
    occasion: 'Wann es kommt',
    advice: 'Was zu tun ist',
    answer: 'Wie geantwortet wird',
    form: 'Als <code>application/problem+json</code> (RFC 9457); <code>detail</code> kann mehr sagen als hier, und <code>instance</code> trägt die Kennung der Anfrage.',
    before: 'Bei jeder Anfrage, noch bevor feststeht, welchen Vorgang sie verlangt.',
    always: 'Jeder Vorgang kann so antworten, was immer er tut.',
    but: 'Jeder Vorgang kann so antworten, außer diesen:',
    some: 'Diese Vorgänge können so antworten:',
    all: 'Alle Probleme',
  },
} as const satisfies Record<Language, object>;

export function problemListPage(problems: readonly ProblemDescription[], language: Language): string {
  const words = WORDS[language];
  const statuses = [...new Set(problems.map(({ status }) => status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const items = problems
      .filter((problem) => problem.status === status)
      .map(
        ({ code, title, detail }) =>
          `<li><a href="problems/${code}">${escapeHtml(title)}</a> <code>${code}</code><p>${escapeHtml(detail)}</p></li>`,
      );
    return `<section aria-labelledby="s${status}">\n<h2 id="s${status}">${status} ${STATUS_CODES[status] ?? ''}</h2>\n<ul>\n${items.join('\n')}\n</ul>\n</section>`;
  });
  return page(words.problems, `<p>${words.introduction}</p>\n${sections.join('\n')}`, language);
}

export function problemPage(problem: ProblemDescription, language: Language): string {
  const { type, title, status, detail, advice } = problem;
  const words = WORDS[language];
  const members = JSON.stringify({ type, title, status, detail }, null, 2);
  return page(
    title,
    `<p><span class="status">${status}</span> <code>${type}</code></p>
<h2>${words.meaning}</h2>
<p>${escapeHtml(detail)}</p>
<h2>${words.occasion}</h2>
${occasion(problem, language)}
<h2>${words.advice}</h2>
<p>${escapeHtml(advice)}</p>
<h2>${words.answer}</h2>
<p>${words.form}</p>
<pre tabindex="0">${escapeHtml(members)}</pre>
<p><a href="../problems">${words.all}</a></p>`,
    language,
  );
}

function occasion({ operations, exceptions }: ProblemDescription, language: Language): string {
  const words = WORDS[language];
  if (operations.length === 0) return `<p>${words.before}</p>`;
  if (exceptions?.length === 0) return `<p>${words.always}</p>`;
  if (exceptions) return `<p>${words.but}</p>\n${operationList(exceptions)}`;
  return `<p>${words.some}</p>\n${operationList(operations)}`;
}

function operationList(operations: readonly DescribedOperation[]): string {
  const items = operations.map(
    ({ operation, tag }) =>
      `<li><a href="../docs#/${encodeURIComponent(tag)}/${operation}">${operation}</a></li>`,
  );
  return `<ul class="operations">\n${items.join('\n')}\n</ul>`;
}

function page(title: string, body: string, language: Language): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: ${WORDS[language].service}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
