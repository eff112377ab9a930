import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { VARIABLES } from '../../src/platform/config/configuration.js';

/** Settings that depend on the other service of the file and on its mapped port. */
const FIXED = ['ALLOW_DEMO_ISSUER_ON_NETWORK', 'DATABASE_URL'];

describe('compose.yaml', () => {
  const settings: readonly string[] = Object.values(VARIABLES).map(({ name }) => name);
  let head: string;
  let service: string;
  beforeAll(async () => {
    const file = await readFile(new URL('../../compose.yaml', import.meta.url), 'utf8');
    [head = '', service = ''] = file.split(/^services:\n {2}filing:\n|^ {2}database:\n/m);
  });

  it('passes all settings of .env to the service, except those that it sets itself', () => {
    expect(service).toContain('    env_file:\n      - path: .env\n');
    const [, environment = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(service) ?? [];
    const set = [...environment.matchAll(/^ {6}(\w+): (.*)$/gm)];
    expect(set.length).toBeGreaterThan(FIXED.length);
    for (const [, name = '', value = ''] of set) {
      expect(settings).toContain(name);
      if (!FIXED.includes(name))
        expect([name, value]).toEqual([name, expect.stringContaining(`\${${name}:-`)]);
    }
  });

  it('explains only settings that exist', () => {
    const explained = [...head.matchAll(/^# {3}([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(explained).toEqual(
      expect.arrayContaining(['OIDC_ISSUER', 'DOCS_CLIENT_ID', 'SMTP_URL', 'MAIL_FROM']),
    );
    expect(explained.filter((name) => !settings.includes(name))).toEqual(['POSTGRES_PASSWORD']);
  });
});
