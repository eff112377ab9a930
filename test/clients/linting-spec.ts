import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import type * as SpectralCore from '@stoplight/spectral-core';
import type * as SpectralRulesets from '@stoplight/spectral-rulesets';
import { TestService } from '../support/service.js';

jest.setTimeout(1_200_000);

// CommonJS whose names Node does not see from outside.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as typeof SpectralCore;
const { oas } = require('@stoplight/spectral-rulesets') as typeof SpectralRulesets;

/** What is warned of and stays as it is, with why. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'info-license #/info': 'The service is not licensed to anybody.',
  'no-unused-components #/components/responses/RouteNotFound':
    'Where there is no operation that could refer to it.',
  'no-unused-components #/components/responses/MethodNotAllowed':
    'Where there is no operation that could refer to it.',
  'oas3-unused-component #/components/responses/RouteNotFound': 'The same.',
  'oas3-unused-component #/components/responses/MethodNotAllowed': 'The same.',
};

describe('The OpenAPI document', () => {
  let service: TestService;
  let document: Record<string, unknown>;
  beforeAll(async () => {
    service = await TestService.shared();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Record<string, unknown>;
  });

  async function bySpectral(subject: object): Promise<string[]> {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas as never, 'recommended']] });
    const findings = await spectral.run(subject as Record<string, unknown>);
    return findings.map(({ code, path: where }) => `${code} #/${where.join('/')}`);
  }

  async function byRedocly(subject: object): Promise<string[]> {
    const findings = await lintDocument({
      document: makeDocumentFromString(JSON.stringify(subject), '/openapi.json'),
      config: await createConfig({ extends: ['recommended'] }),
      externalRefResolver: new BaseResolver(),
    });
    return findings.map(({ ruleId, location: [where] }) => `${ruleId} ${where?.pointer ?? ''}`);
  }

  const unexplained = (findings: string[]) => findings.filter((finding) => !(finding in EXPLAINED));

  it('passes Spectral’s rules for OpenAPI, and every warning that stays is explained', async () => {
    expect(unexplained(await bySpectral(document))).toEqual([]);
  });

  it('passes Redocly’s recommended rules, and every warning that stays is explained', async () => {
    expect(unexplained(await byRedocly(document))).toEqual([]);
  });

  it('has an explanation for nothing else', async () => {
    const warned = new Set([...(await bySpectral(document)), ...(await byRedocly(document))]);
    expect(Object.keys(EXPLAINED).filter((finding) => !warned.has(finding))).toEqual([]);
  });

  it('would not pass them with an operation that nobody named', async () => {
    const worse = { ...document, components: {}, paths: { '/livez': { get: { responses: {} } } } };
    expect(unexplained(await bySpectral(worse))).not.toEqual([]);
    expect(unexplained(await byRedocly(worse))).not.toEqual([]);
  });
});
