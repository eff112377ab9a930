/** Writes the table of environment variables in docs/configuration.md from their declarations. */
import { readFile, writeFile } from 'node:fs/promises';
import { withConfigurationTable } from '../test/support/configuration-table.ts';

const page = new URL('../docs/configuration.md', import.meta.url);
await writeFile(page, withConfigurationTable(await readFile(page, 'utf8')));
