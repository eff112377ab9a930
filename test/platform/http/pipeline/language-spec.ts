import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Language } from '../../../../src/common/messages/languages.js';
import { PROBLEMS } from '../../../../src/common/messages/problems.js';
import { type Actor } from '../../../support/actor.js';
import { saveFileType } from '../../../factories/files.js';
import { sendRaw } from '../../../support/raw-http.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('Language of problem documents', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  const notFound = (language?: string) => {
    const asked = admin.get(`/files/${randomUUID()}`);
    return language === undefined ? asked : asked.set('Accept-Language', language);
  };

  it.each<[string | undefined, Language]>([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de-CH;q=0.7, fr', 'de'],
    ['fr, it;q=0.5', 'en'],
    ['en, de', 'en'],
    ['en;q=0.5, de;q=0.9', 'de'],
    ['de;q=0.5, en;q=0.9', 'en'],
    ['de;q=0, *', 'en'],
    ['en;q=0, *;q=0.1', 'de'],
    ['de;q=0', 'en'],
    ['de-DE, de;q=0.9, en;q=0.8', 'de'],
    [';;,,;q=x', 'en'],
  ])('follows Accept-Language %j: %s', async (accepted, language) => {
    const response = await notFound(accepted);
    const { title, detail } = PROBLEMS['resource.not-found'];
    expect(response.status).toBe(404);
    expect(response.headers['content-language']).toBe(language);
    expect(response.headers.vary).toBe('Accept-Language');
    expect(response.body).toMatchObject({
      type: '/problems/resource.not-found',
      title: title[language],
      detail: detail[language],
    });
  });

  it('applies to the texts of errors, but not to the values in them', async () => {
    const response = await admin
      .get('/files?limit=0&status=open&fileTypeId=1&cursor=x')
      .set('Accept-Language', 'de');
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      title: 'Ungültige Anfrage',
      errors: {
        limit: ['muss eine ganze Zahl von 1 bis 200 sein'],
        status: ['muss einer dieser Werte sein: Open, Closed'],
        fileTypeId: ['muss eine UUID sein'],
      },
    });
    const english = await admin.get('/files?limit=0');
    expect((english.body as { errors: object }).errors).toEqual({
      limit: ['must be an integer from 1 to 200'],
    });
  });

  it('applies to errors of bodies, references, conflicts and uploads', async () => {
    const { id: fileTypeId } = await saveFileType(tenant);
    const file = { fileTypeId, number: randomUUID(), name: 'A' };
    await admin.post('/files').send(file).expect(201);
    const german = (path: string) => admin.post(path).set('Accept-Language', 'de');

    const body = await german('/files').send({ ...file, name: 'x'.repeat(201), number: 1 });
    expect(body.body).toMatchObject({
      title: 'Ungültige Anfrage',
      errors: { name: ['darf höchstens 200 Zeichen haben'], number: ['muss ein Text sein'] },
    });
    const reference = await german('/files').send({ ...file, fileTypeId: randomUUID() });
    expect(reference.body).toMatchObject({
      errors: { fileTypeId: ['ist keine Kennung eines Aktentyps dieses Mandanten'] },
    });
    const conflict = await german('/files').send(file);
    expect(conflict.body).toMatchObject({
      title: 'Aktenzeichen vergeben',
      detail: 'Eine andere Akte des Mandanten hat dieses Aktenzeichen.',
    });
    const upload = await german('/documents').attach('content', Buffer.from('A'), 'a.txt');
    expect(upload.body).toMatchObject({ errors: { content: ['muss nach dem Teil document stehen'] } });
  });

  it('applies to a detail that replaces the default one', async () => {
    const response = await admin
      .post('/files')
      .set('Accept-Language', 'de')
      .set('Content-Type', 'application/json')
      .send('{"name":');
    expect(response.body).toMatchObject({
      title: 'Body nicht lesbar',
      detail: 'Der Body ist kein gültiges JSON.',
      errors: { $: ['Der Body ist kein gültiges JSON.'] },
    });
  });

  it('applies before authentication and to unknown paths', async () => {
    for (const [path, title] of [
      ['/nope', 'Unbekannter Pfad'],
      ['/api/v1/t/demo/files', 'Anmeldung erforderlich'],
    ] as const) {
      const response = await request(service.url).get(path).set('Accept-Language', 'de');
      expect({
        title: (response.body as { title: string }).title,
        language: response.headers['content-language'],
      }).toEqual({
        title,
        language: 'de',
      });
    }
  });

  it('is English for a malformed request, whose headers are not known', async () => {
    const { status, headers, body } = await sendRaw(
      service.url,
      Buffer.from('GET / HTTX/1.1\r\nAccept-Language: de\r\n\r\n'),
    );
    expect(status).toBe(400);
    expect(headers).toMatch(/\r\ncontent-language: en(\r\n|$)/i);
    expect(JSON.parse(body)).toMatchObject({ title: PROBLEMS['request.malformed-http'].title.en });
  });

  it('is not declared in responses without texts', async () => {
    const response = await admin.get('/files').set('Accept-Language', 'de').expect(200);
    expect(response.headers['content-language']).toBeUndefined();
    expect(response.headers.vary).toBeUndefined();
  });
});
