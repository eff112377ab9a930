import { readFile, writeFile } from 'node:fs/promises';
import { withConfigurationTable } from '../test/support/configuration-table.ts';

/** Writes the table of the environment variables into the README, from where they are read. */
const readme = new URL('../README.md', import.meta.url);
await writeFile(readme, withConfigurationTable(await readFile(readme, 'utf8')));
