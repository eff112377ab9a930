import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TestService } from '../../support/service/service.js';

describe('npm run tenant -- create', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.shared();
  });

  const create = (slug: string) => {
    const options = ['--slug', slug, '--name', 'Acme AG', '--admin', 'alice@example.com'];
    return service.run('tools/cli/tenant', 'create', ...options);
  };

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
