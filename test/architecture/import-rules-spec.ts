import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface Report {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs dependency-cruiser in a folder, as `npm run imports` does. */
async function violations(directory: string): Promise<string[]> {
  const bin = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.join(ROOT, '.dependency-cruiser.cjs');
  const run = promisify(execFile)(
    process.execPath,
    [bin, '--config', config, '--output-type', 'json', 'src'],
    {
      cwd: directory,
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  const { summary } = JSON.parse((await run).stdout) as Report;
  return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`).sort();
}

describe('The import rules, in a folder with violations', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-imports-'));
    await writeFile(
      path.join(directory, 'tsconfig.json'),
      '{"compilerOptions":{"module":"NodeNext","moduleResolution":"NodeNext"}}',
    );
    for (const [name, text] of Object.entries({
      'common/text.ts': `import { endpoint } from '../platform/http/endpoint.js';\nexport const text = endpoint;`,
      'common/words.ts': `import 'typeorm';\nexport const words = [];`,
      'platform/database/rows.ts': `import { type FilesService } from '../../resources/files/files.service.js';\nexport type Rows = FilesService;`,
      'platform/http/endpoint.ts': `import '../documentation/page.js';\nimport '../../tools/cli/token.js';\nexport const endpoint = 1;`,
      'platform/documentation/page.ts': `import '../http/endpoint.js';`,
      'platform/attic/old.ts': `export const old = 1;`,
      'resources/files/files.service.ts': `import '../tags/tags.service.js';\nimport '../tags/tags.reader.js';\nexport class FilesService {}`,
      'resources/documents/documents.service.ts': `import './search/search.service.js';`,
      'resources/documents/documents.module.ts': `import './search/search.service.js';`,
      'resources/documents/search/search.service.ts': `export const search = 1;`,
      'resources/documents/values/values.ts': `import '../documents.service.js';`,
      'resources/documents/bin/bin.ts': `import '../documents.service.js';\nimport '../values/values.js';\nimport '../search/search.service.js';`,
      'resources/tags/tags.service.ts': `import '../gone/gone.reader.js';\nimport './tags.circle.js';`,
      'resources/tags/tags.circle.ts': `import './tags.service.js';`,
      'resources/tags/tags.reader.ts': `import '../../main.js';`,
      'tools/cli/token.ts': `import '../../resources/files/files.service.js';\nimport '../../platform/attic/old.js';`,
      'main.ts': `import './tools/cli/token.js';`,
    })) {
      await mkdir(path.dirname(path.join(directory, 'src', name)), { recursive: true });
      await writeFile(path.join(directory, 'src', name), text);
    }
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('report every violation, also through imports with the extension .js', async () => {
    const found = await violations(directory);
    expect(found.filter((line) => !/no-circular|npm|no-development/.test(line))).toEqual([
      'src/common/text.ts common',
      'src/common/words.ts everything-resolves',
      'src/platform/database/rows.ts platform/database',
      'src/platform/http/endpoint.ts platform/http',
      'src/platform/http/endpoint.ts platform/http',
      'src/resources/documents/bin/bin.ts document-subjects',
      'src/resources/documents/documents.service.ts document-subjects',
      'src/resources/documents/values/values.ts document-parts',
      'src/resources/files/files.service.ts resources-through-readers',
      'src/resources/tags/tags.reader.ts resources',
      'src/resources/tags/tags.service.ts everything-resolves',
      'src/tools/cli/token.ts every-folder-has-a-layer',
      'src/tools/cli/token.ts tools',
    ]);
    expect(found).toContain('src/resources/tags/tags.circle.ts no-circular');
  });
});
