import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { withConfigurationTable } from '../support/configuration-table.js';

describe('The README', () => {
  it('lists exactly the environment variables that are read (npm run docs:configuration)', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).toBe(withConfigurationTable(readme));
  });
});
