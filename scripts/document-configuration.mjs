import { readFile, writeFile } from 'node:fs/promises';
import { withConfigurationTable } from '../test/support/configuration-table.ts';

/** Writes the table of environment variables in docs/configuration.md from their declarations. */
const page = new URL('../docs/configuration.md', import.meta.url);
await writeFile(page, withConfigurationTable(await readFile(page, 'utf8')));
