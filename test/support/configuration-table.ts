import { VARIABLES } from '../../src/platform/config/configuration.js';

const BEGIN = '<!-- configuration -->';
const END = '<!-- /configuration -->';

/** A Markdown table of the environment variables, in the order of their declaration. */
function configurationTable(): string {
  const rows = Object.values(VARIABLES).map(({ name, description, defaultText }) => [
    `\`${name}\``,
    defaultText,
    description,
  ]);
  return [['variable', 'default', 'description'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/** The page with the table between its markers. */
export function withConfigurationTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/configuration.md has no ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${configurationTable()}\n\n${page.slice(end)}`;
}
