import { VARIABLES } from '../../src/platform/config/configuration.js';
import { type Variable } from '../../src/platform/config/variable.js';

const BEGIN = '<!-- configuration -->';
const END = '<!-- /configuration -->';

/** A Markdown table of the environment variables, in the order of their declaration. */
function configurationTable(): string {
  const rows = Object.values<Variable<unknown>>(VARIABLES).map((variable) => [
    `\`${variable.name}\``,
    variable.defaultText ?? defaultOf(variable),
    variable.description,
  ]);
  return [['variable', 'default', 'description'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

function defaultOf({ read }: Variable<unknown>): string {
  const value = read(undefined) as string | number | boolean | readonly string[] | undefined;
  const text = String(value ?? '');
  return text === '' ? 'none' : `\`${text}\``;
}

/** The page with the table between its markers. */
export function withConfigurationTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/configuration.md has no ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${configurationTable()}\n\n${page.slice(end)}`;
}
