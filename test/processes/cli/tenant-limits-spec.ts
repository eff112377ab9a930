import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { putContent, saveDocument } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { waitUntil } from '../../support/wait-until.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('npm run tenant -- limits', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '600', RATE_LIMIT_BURST: '100' });
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });
  afterAll(() => service.stop());

  const limits = (...args: string[]) => service.run('tools/cli/tenant', 'limits', ...args);
  /** Uploads content of this size to a new document. */
  const upload = async (bytes: number, actor = editor) =>
    putContent(actor, (await saveDocument(tenant, editor)).id, Buffer.alloc(bytes));
  /** Sends two requests: the limits of a changed tenant apply from the second request on. */
  const policy = async () => {
    await editor.get('/tags');
    return (await editor.get('/tags')).headers['ratelimit-policy'] as string;
  };

  it('sets, resets and shows the limits of a tenant, and the running service applies them', async () => {
    await upload(1500);
    expect(await policy()).toBe('"caller";q=100;w=10');

    const options = ['--storage-bytes', '2000', '--requests-per-minute', '1200', '--burst', '40'];
    const set = await limits(tenant.slug, ...options);
    expect(set).toEqual({
      code: 0,
      output:
        'storage-bytes-used     1500\nstorage-bytes          2000\n' +
        'requests-per-minute    1200\nburst                  40\n',
      errors: '',
    });
    expect(await policy()).toBe('"caller";q=40;w=2');
    // The running instance caches the storage limit for up to a minute; a new instance reads it at once.
    const second = await SecondInstance.start(service);
    try {
      expect((await upload(501, second.actor(editor))).status).toBe(507);
    } finally {
      await second.stop();
    }

    const reset = await limits(tenant.slug, '--storage-bytes', 'default', '--burst', 'default');
    expect(reset.output).toContain('storage-bytes          107374182400 (default)\n');
    expect(reset.output).toContain('requests-per-minute    1200\nburst                  100 (default)\n');
    expect(await policy()).toBe('"caller";q=100;w=5');
    // 200 instead of 507: the instance has read the default storage limit.
    await waitUntil(async () => (await upload(1000)).status === 200);
  });

  it.each([
    [['no-such-tenant'], 'The tenant no-such-tenant does not exist. See --help.\n'],
    [[], 'Expected exactly one tenant slug. See --help.\n'],
    [
      ['x', '--burst', '0'],
      '--burst must be a whole number from 1 to 2147483647, or "default". See --help.\n',
    ],
  ])('rejects the arguments %j', async (args, errors) => {
    expect(await limits(...args)).toEqual({ code: 2, output: '', errors });
  });
});
