import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import type * as SpectralCore from '@stoplight/spectral-core';
import type * as SpectralRulesets from '@stoplight/spectral-rulesets';
import { DemoService } from '../support/service/demo-service.js';
import { TestService } from '../support/service/service.js';

jest.setTimeout(1_200_000);

// CommonJS whose names Node does not see from outside.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as typeof SpectralCore;
const { oas } = require('@stoplight/spectral-rulesets') as typeof SpectralRulesets;

/** As a first start serves it, and as a service with an issuer of its own does. */
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

  it('has no finding of spectral:oas, of any severity', async () => {
    expect(await bySpectral(document)).toEqual([]);
  });

  it('has no finding of Redocly’s recommended rules, of any severity', async () => {
    expect(await byRedocly(document)).toEqual([]);
  });

  it('would have findings with an operation without a name', async () => {
    const worse = { ...document, components: {}, paths: { '/livez': { get: { responses: {} } } } };
    expect(await bySpectral(worse)).not.toEqual([]);
    expect(await byRedocly(worse)).not.toEqual([]);
  });
});
