import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import type * as SpectralCore from '@stoplight/spectral-core';
import type * as SpectralRulesets from '@stoplight/spectral-rulesets';
import { DemoService } from '../support/service/demo-service.js';
import { TestService } from '../support/service/service.js';

jest.setTimeout(1_200_000);

// CommonJS modules whose named exports Node cannot detect.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as typeof SpectralCore;
const { oas } = require('@stoplight/spectral-rulesets') as typeof SpectralRulesets;

/** The document of the first start, and that of a service with an external issuer. */
const SERVICES = {
  demo: () => DemoService.start(),
  production: () => TestService.start({ PUBLIC_URL: 'https://filing.office.org' }),
};

describe.each(Object.entries(SERVICES))('The OpenAPI document (%s)', (_, start) => {
  let service: { readonly url: string; stop(): Promise<void> };
  let document: Record<string, unknown>;
  beforeAll(async () => {
    service = await start();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Record<string, unknown>;
  });
  afterAll(() => service?.stop());

  async function bySpectral(subject: object): Promise<string[]> {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as never] });
    const findings = await spectral.run(subject as Record<string, unknown>);
    return findings.map(({ code, message, path: where }) => `${code} #/${where.join('/')}: ${message}`);
  }

  async function byRedocly(subject: object): Promise<string[]> {
    const findings = await lintDocument({
      document: makeDocumentFromString(JSON.stringify(subject), '/openapi.json'),
      config: await createConfig({ extends: ['recommended'] }),
      externalRefResolver: new BaseResolver(),
    });
    return findings.map(
      ({ ruleId, message, location: [where] }) => `${ruleId} ${where?.pointer ?? ''}: ${message}`,
    );
  }

  it('passes spectral:oas without findings of any severity', async () => {
    expect(await bySpectral(document)).toEqual([]);
  });

  it('passes the recommended rules of Redocly without findings of any severity', async () => {
    expect(await byRedocly(document)).toEqual([]);
  });

  it('has findings when an operation has no name', async () => {
    const worse = { ...document, components: {}, paths: { '/livez': { get: { responses: {} } } } };
    expect(await bySpectral(worse)).not.toEqual([]);
    expect(await byRedocly(worse)).not.toEqual([]);
  });
});
