import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestService } from '../../support/service/service.js';

describe('npm run tenant -- create', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.shared();
  });

  async function create(slug: string, ...args: string[]) {
    const { database, dataDirectory } = service;
    const process = new ServiceProcess(
      { ...database.environment, DATA_DIR: dataDirectory },
      {
        entry: 'tools/cli/tenant',
        args: ['create', '--slug', slug, '--name', 'Acme AG', '--admin', 'alice@example.com', ...args],
      },
    );
    const code = await process.exit;
    return { code, output: process.output, errors: process.errors };
  }

  it('creates a tenant, and fails when the slug is taken', async () => {
    const slug = `acme-${randomBytes(4).toString('hex')}`;
    expect(await create(slug)).toEqual({
      code: 0,
      output: expect.stringMatching(
        new RegExp(
          `^Created the tenant ${slug} \\([0-9a-f-]{36}\\)\\. Expected administrators: alice@example\\.com\\.\\n$`,
        ),
      ) as unknown as string,
      errors: '',
    });
    expect(await create(slug)).toEqual({
      code: 1,
      output: '',
      errors: `The slug ${slug} is already taken.\n`,
    });
  });

  it.each(['ab', 'Acme', 'admin'])('rejects the slug %s', async (slug) => {
    expect(await create(slug)).toEqual({
      code: 2,
      output: '',
      errors: `The slug ${slug} is invalid or reserved. See --help.\n`,
    });
  });
});
