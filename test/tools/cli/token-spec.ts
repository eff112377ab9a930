import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { UsageError, parseArguments } from '../../../src/tools/cli/command.js';
import { TOKEN, tokenCommand as run } from '../../../src/tools/cli/token-command.js';
import { ConfigurationError, loadConfiguration } from '../../../src/platform/config/configuration.js';
import { DEMO_USERS } from '../../../src/platform/identity/embedded/demo-users.js';
import { createTenant } from '../../support/create-tenant.js';
import { TokenVerifier } from '../../../src/platform/identity/token-verifier.js';
import { createTestDatabase } from '../../support/database.js';

const tokenCommand = async (args: string[], environment: NodeJS.ProcessEnv) =>
  run(parseArguments(TOKEN, args).values, environment);

let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  environment = { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'filing-token-')) };
});
afterAll(() => rm(environment.DATA_DIR ?? '', { recursive: true, force: true }));

describe('npm run token', () => {
  it('prints only a token, which the service accepts', async () => {
    const verifier = new TokenVerifier(loadConfiguration(environment));
    for (const { roleKey, subject } of DEMO_USERS) {
      const stdout = await tokenCommand(['--tenant', 'demo', '--as', roleKey], environment);
      expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      expect(await verifier.verify(stdout.trim())).toMatchObject({ subject, emailVerified: true });
    }
  });

  it('accepts any e-mail address', async () => {
    const token = await tokenCommand(['--tenant', 'acme', '--as', 'Alice@example.com'], environment);
    expect(decodeJwt(token)).toMatchObject({ sub: 'alice@example.com', email: 'alice@example.com' });
  });

  it.each([
    [[], 12 * 3600],
    [['--expires', '90s'], 90],
    [['--expires', '15m'], 900],
    [['--expires', '30d'], 30 * 86_400],
  ])('sets the lifetime of the token for %j', async (args, seconds) => {
    const { iat = 0, exp = 0 } = decodeJwt(await tokenCommand(['--as', 'editor', ...args], environment));
    expect(exp - iat).toBe(seconds);
  });

  it('rejects a tenant that does not exist, if the database is available', async () => {
    const database = await createTestDatabase();
    const asking = { ...environment, ...database.environment };
    await createTenant(database.ownerUrl, { slug: 'acme', name: 'Acme', expectedMembers: [] });
    const fault = tokenCommand(['--as', 'editor', '--tenant', 'nosuch'], asking);
    await expect(fault).rejects.toBeInstanceOf(UsageError);
    await expect(fault).rejects.toThrow(/^The tenant nosuch does not exist\.$/);
    expect(await tokenCommand(['--as', 'editor', '--tenant', 'acme'], asking)).toMatch(/^[\w.-]+\n$/);
    await database.drop();
    const unreachable = { ...environment, DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/nowhere' };
    expect(await tokenCommand(['--as', 'editor', '--tenant', 'nosuch'], unreachable)).toMatch(/^[\w.-]+\n$/);
  });

  it.each<[string, string[]]>([
    ['without --as', []],
    ['--as without a value', ['--as']],
    ['--as with an unknown role', ['--as', 'nobody']],
    ['--as with an empty value', ['--as', '']],
    ['--tenant with an invalid slug', ['--as', 'editor', '--tenant', 'Acme AG']],
    ['an unknown option', ['--as', 'editor', '--role', 'x']],
    ['an unexpected operand', ['editor']],
    ['--expires with a lifetime of zero', ['--as', 'editor', '--expires', '0s']],
    ['--expires with more than 30 days', ['--as', 'editor', '--expires', '31d']],
    ['--expires with an invalid value', ['--as', 'editor', '--expires', 'soon']],
  ])('fails with one sentence: %s', async (_what, args) => {
    const fault = tokenCommand(args, environment);
    await expect(fault).rejects.toBeInstanceOf(UsageError);
    await expect(fault).rejects.toThrow(/^[^\n]+[.?]$/);
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['in production', { NODE_ENV: 'production' }, /production/],
    [
      'in production with an issuer',
      { NODE_ENV: 'production', OIDC_ISSUER: 'https://issuer.example' },
      /only that issuer can create tokens/,
    ],
    ['with another issuer', { OIDC_ISSUER: 'https://issuer.example' }, /only that issuer can create tokens/],
    ['with an invalid variable', { PORT: 'x' }, /PORT/],
  ])('fails %s', async (_what, changes, reason) => {
    const fault = tokenCommand(['--as', 'editor'], { ...environment, ...changes });
    await expect(fault).rejects.toBeInstanceOf(ConfigurationError);
    await expect(fault).rejects.toThrow(reason);
  });

  it('fails with the path when the keys cannot be stored', async () => {
    const file = path.join(environment.DATA_DIR ?? '', 'a-file');
    await writeFile(file, '');
    const fault = tokenCommand(['--as', 'editor'], { ...environment, DATA_DIR: file });
    await expect(fault).rejects.toBeInstanceOf(ConfigurationError);
    await expect(fault).rejects.toThrow(/cannot store its keys in .* \(ENOTDIR\)/);
  });
});
