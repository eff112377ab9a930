import { VARIABLES } from '../../src/platform/config/configuration.js';

const BEGIN = '<!-- configuration -->';
const END = '<!-- /configuration -->';

/** The environment variables as a table in Markdown, in the order in which they are declared. */
function configurationTable(): string {
  const rows = Object.values(VARIABLES).map(({ name, description, defaultText }) => [
    `\`${name}\``,
    defaultText,
    description,
  ]);
  return [['variable', 'default', 'what it is'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/** The README with the table between its markers. */
export function withConfigurationTable(readme: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} … ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${configurationTable()}\n\n${readme.slice(end)}`;
}
