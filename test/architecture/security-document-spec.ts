import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const document = await readFile(new URL('docs/security.md', root), 'utf8');

async function missing(paths: Iterable<string>): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(paths)].map(async (path) => {
      const isThere = await access(new URL(path, root)).then(
        () => true,
        () => false,
      );
      return isThere ? [] : [path];
    }),
  );
  return found.flat();
}

const named = (pattern: RegExp, text = document): string[] =>
  [...text.matchAll(pattern)].map(([, path = '']) => path);

describe('docs/security.md', () => {
  it('names existing tests only', async () => {
    const tests = named(/`(test\/[^`]*)`/g);
    expect(tests.length).toBeGreaterThan(30);
    expect(await missing(tests)).toEqual([]);
  });

  it('has a test behind every barrier', () => {
    const barriers = /\n## Barriers\n([^]*?)\n## /.exec(document)?.[1]?.split('\n### ').slice(1) ?? [];
    expect(barriers.length).toBeGreaterThan(5);
    const untested = barriers.filter((barrier) => named(/`(test\/[^`]*-spec\.ts)`/g, barrier).length === 0);
    expect(untested.map((barrier) => barrier.split('\n')[0])).toEqual([]);
  });

  it('links to existing pages only, as does SECURITY.md', async () => {
    const security = await readFile(new URL('SECURITY.md', root), 'utf8');
    const links = (text: string, folder: string) =>
      named(/\]\((?!https:)([^)#]+)/g, text).map((path) => new URL(path, new URL(folder, root)).href);
    const all = [...links(document, 'docs/'), ...links(security, './')];
    expect(all.length).toBeGreaterThan(5);
    expect(await missing(all)).toEqual([]);
  });
});
