import { createHash } from 'node:crypto';
import { escapeHtml } from '../../common/html.js';
import { ALL_PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../vocabulary/problems.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.2 }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
dt { font-weight: 600; margin-top: .75rem }
dd { margin: 0 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #767676; border-radius: .4rem }
a:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export const PROBLEM_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the program, or the person who wrote it, can do about it. */
const ADVICE: Record<number, string> = {
  400: 'Correct the values that errors names by their path in the request. The same request again is refused again.',
  401: 'Get a new access token from the issuer and send it as “Authorization: Bearer …”. The WWW-Authenticate header says what was wrong with the last one.',
  403: 'Ask somebody who manages the tenant for the right. Another token of the same user changes nothing.',
  404: 'Check the path and the ids in it; what was there may have gone, or may be out of the caller’s sight.',
  405: 'Use one of the methods that the Allow header names.',
  406: 'Accept application/json.',
  409: 'Read the current state, and decide anew. The same request may succeed once that state has changed.',
  412: 'Read the resource again, apply the change to what it is now, and send its new entity tag.',
  413: 'Send less.',
  415: 'Send the body as application/json, or as multipart/form-data where content is uploaded.',
  416: 'Ask for a part within the size that the Content-Range header tells.',
  429: 'Wait for as many seconds as the Retry-After header says.',
  431: 'Send fewer or shorter header fields.',
  500: 'Try again; if it stays, report the request id to whoever runs the service.',
  503: 'Try again after as many seconds as the Retry-After header says.',
  507: 'Tell whoever runs the service; nothing that the client does will help.',
};

export function problemListPage(): string {
  const statuses = [...new Set(ALL_PROBLEM_CODES.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
  const sections = statuses.map((status) => {
    const items = ALL_PROBLEM_CODES.filter((code) => PROBLEMS[code].status === status).map(
      (code) =>
        `<dt><a href="problems/${code}">${escapeHtml(PROBLEMS[code].title)}</a></dt><dd>${escapeHtml(PROBLEMS[code].detail)}</dd>`,
    );
    return `<h2>${status}</h2>\n<dl>\n${items.join('\n')}\n</dl>`;
  });
  return page(
    'Problems',
    `<p>Every kind of problem that the service answers with, by status.</p>\n${sections.join('\n')}`,
  );
}

export function problemPage(code: ProblemCode): string {
  const { status, title, detail } = PROBLEMS[code];
  const members = JSON.stringify({ type: `/problems/${code}`, title, status, detail }, null, 2);
  return page(
    title,
    `<p>${escapeHtml(detail)}</p>
<h2>What to do</h2>
<p>${escapeHtml(ADVICE[status] ?? '')}</p>
<h2>How it is answered</h2>
<p>With status ${status}, as <code>application/problem+json</code>; <code>detail</code> may say more than here.</p>
<pre>${escapeHtml(members)}</pre>
<p><a href="../problems">All problems</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: filing service</title>
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
