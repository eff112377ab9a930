import { createHash } from 'node:crypto';
import { type Language } from './messages/languages.js';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Style sheet of all pages except Swagger UI. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 40rem; overflow-wrap: anywhere; padding: 2rem 1rem }
form { display: grid; max-width: 26rem }
button, input { font: inherit; margin: .25rem 0; padding: .5rem 1rem }
small { display: block }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem }
body:has(table) { max-width: 60rem }
table { border-collapse: collapse; display: block; overflow-wrap: normal; overflow-x: auto }
th, td { border-bottom: 1px solid; padding: .25rem 1rem .25rem 0; text-align: start; vertical-align: top }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
`;
const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** Content-Security-Policy of a page: allows only its style sheet, and forms that are sent to `formAction`. */
export function pagePolicy(formAction = "'none'"): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** @param title text; `body` and `head` are HTML */
export function htmlPage(
  language: Language,
  title: string,
  body: string,
  head = `<style>${PAGE_STYLE}</style>`,
): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`;
}
