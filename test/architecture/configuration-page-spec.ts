import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { withConfigurationTable } from '../support/configuration-table.js';

describe('docs/configuration.md', () => {
  it('lists exactly the environment variables that are read (npm run docs:configuration)', async () => {
    const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page).toBe(withConfigurationTable(page));
  });
});
