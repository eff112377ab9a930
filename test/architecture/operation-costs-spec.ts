import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/platform/http/pipeline/route-table.js';
import { TestService } from '../support/service/service.js';

const page = await readFile(new URL('../../docs/limits.md', import.meta.url), 'utf8');

describe('docs/limits.md', () => {
  it('says for every operation once what bounds its cost', async () => {
    const [, section = ''] = /\n## What an operation costs\n([^]*?)\n\*\*/.exec(page) ?? [];
    const classified = section
      .split('\n')
      .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`(\w+)`/g)])
      .map(([, name]) => name);
    const { routes } = (await TestService.shared()).app.get(RouteTable);
    const operations = new Set(routes.flatMap(({ endpoint }) => endpoint?.operation ?? []));
    expect(classified.sort()).toEqual([...operations].sort());
  });
});
