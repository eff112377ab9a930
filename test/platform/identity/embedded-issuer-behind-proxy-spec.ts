import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { createEmbeddedIssuer } from '../../../src/platform/identity/embedded/embedded-issuer.js';
import { listen } from '../../support/servers/local-server.js';

describe('The embedded issuer behind a TLS proxy', () => {
  let directory: string;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
    const handler = await createEmbeddedIssuer({
      configuration: loadConfiguration({ PUBLIC_URL: 'https://filing.example/app', DATA_DIR: directory }),
    });
    // The client closes idle connections. If the server did, it could close one that a new request is just using.
    server = createServer({ keepAliveTimeout: 0 }, express().use('/oidc', handler));
    url = await listen(server);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true, force: true });
  });

  it.each([
    ['without forwarding headers', {}],
    ['with correct headers', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'filing.example' }],
    [
      'with forged headers',
      {
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'mallory.example',
        'x-forwarded-port': '81',
        forwarded: 'host=mallory.example',
      },
    ],
  ])('uses the configured URL in its discovery document, %s', async (_, headers) => {
    const response = await fetch(`${url}/oidc/.well-known/openid-configuration`, { headers });
    const discovery = (await response.json()) as Record<string, string>;
    const addresses = Object.entries(discovery).filter(([name]) => /^issuer$|_endpoint$|_uri$/.test(name));
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const [name, address] of addresses)
      expect([name, address]).toEqual([
        name,
        expect.stringMatching(/^https:\/\/filing\.example\/app\/oidc(\/|$)/),
      ]);
  });
});
