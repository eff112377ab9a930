import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceFixture } from '../support/service/service-fixture.js';
import { waitFor } from '../support/wait-until.js';

const EMAIL = 'registrar@people.example';

describe('The bundled service', () => {
  let bundled: ServiceFixture;
  let compiled: ServiceFixture;

  beforeAll(async () => {
    bundled = await ServiceFixture.prepare({ built: true, emails: [EMAIL] });
    compiled = await ServiceFixture.prepare();
  });
  afterAll(() => Promise.all([bundled.cleanUp(), compiled.cleanUp()]));

  it('has the OpenAPI document of the sources, whose schemas are named after classes', async () => {
    const documents = [bundled, compiled].map(async (fixture) => {
      const url = await fixture.start('main', { OIDC_ISSUER: bundled.issuer.url }).url();
      const document = await (await fetch(`${url}/openapi.json`)).text();
      return JSON.parse(document.replaceAll(url, '')) as object;
    });
    const [ofBundle, ofSources] = await Promise.all(documents);
    expect(ofBundle).toMatchObject({ components: { schemas: { File: { type: 'object' } } } });
    expect(ofBundle).toEqual(ofSources);
  });

  it('starts its other programs: processes of the service, the worker, and those that read files', async () => {
    const service = bundled.start('main', { INSTANCES: '2', WORKER_CONCURRENCY: '0', LOG_LEVEL: 'info' });
    const url = await service.url();
    bundled.start('worker');
    const form = new FormData();
    form.append('document', JSON.stringify({ title: 'Bescheid' }));
    form.append('content', new Blob(['Pflegeversicherung']), 'bescheid.txt');
    const created = await bundled.send(url, EMAIL, '/documents', { method: 'POST', body: form });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const text = await waitFor(async () => {
      const response = await bundled.send(url, EMAIL, `/documents/${id}/text`);
      return response.status === 200 ? response.text() : undefined;
    }, 'the text of the document');
    expect(text).toBe('Pflegeversicherung');
  });
});
