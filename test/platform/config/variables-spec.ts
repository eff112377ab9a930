import { describe, expect, it } from '@jest/globals';
import {
  type Configuration,
  ConfigurationError,
  VARIABLES,
  loadConfiguration,
} from '../../../src/platform/config/configuration.js';
import { findOcr } from '../../../src/platform/extraction/tesseract.js';
import { JsonAdapter } from '../../../src/platform/http/response/json-adapter.js';

/** With a database of its own and an issuer, which some variables require. */
const load = (environment: NodeJS.ProcessEnv): Configuration =>
  loadConfiguration({
    DATABASE_URL: 'postgres://filing:secret@db.example/filing',
    OIDC_ISSUER: 'https://issuer.example',
    ...environment,
  });

const valueOf = (name: string, text: string | undefined): unknown => {
  const [key] = Object.entries(VARIABLES).find(([, variable]) => variable.name === name) ?? [];
  return load({ [name]: text })[key as keyof Configuration];
};

const replicas = (count: number) =>
  Array.from({ length: count }, (_, index) => `postgres://replica-${index}.example`);

describe('loadConfiguration', () => {
  it.each<[string, string | undefined, unknown]>([
    ['CORS_ORIGINS', undefined, []],
    ['CORS_ORIGINS', '', []],
    ['CORS_ORIGINS', '*', ['*']],
    ['CORS_ORIGINS', 'https://app.example', ['https://app.example']],
    [
      'CORS_ORIGINS',
      'https://a.example, http://localhost:5173',
      ['https://a.example', 'http://localhost:5173'],
    ],
    // Normalized as browsers write them, because origins are compared as texts.
    ['CORS_ORIGINS', 'HTTPS://App.Example:443', ['https://app.example']],
    ['CORS_ORIGINS', 'https://bücher.example', ['https://xn--bcher-kva.example']],
    ['CORS_ORIGINS', 'http://[::1]:8080', ['http://[::1]:8080']],
    ['DATABASE_REPLICA_URLS', undefined, []],
    ['DATABASE_REPLICA_URLS', '', []],
    [
      'DATABASE_REPLICA_URLS',
      'postgres://a.example, postgresql://b.example:5433/filing?sslmode=require',
      ['postgres://a.example', 'postgresql://b.example:5433/filing?sslmode=require'],
    ],
    ['DATABASE_REPLICA_URLS', replicas(8).join(), replicas(8)],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', undefined, undefined],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '', undefined],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/', 'http://collector:4318/'],
    ['TIME_ZONE', undefined, 'UTC'],
    ['TIME_ZONE', 'europe/berlin', 'Europe/Berlin'],
    ['TRUSTED_PROXIES', '', []],
    ['TRUSTED_PROXIES', '10.0.0.1', ['10.0.0.1']],
    ['TRUSTED_PROXIES', '10.0.0.0/8, fd00::/8 ,::1', ['10.0.0.0/8', 'fd00::/8', '::1']],
    ['TRUSTED_PROXIES', 'loopback,uniquelocal', ['loopback', 'uniquelocal']],
    ['WORKER_CONCURRENCY', undefined, 2],
    ['WORKER_CONCURRENCY', '0', 0],
    ['WORKER_CONCURRENCY', '1', 2],
    ['WORKER_CONCURRENCY', '5', 5],
  ])('reads %s=%s', (name, text, expected) => {
    expect(valueOf(name, text)).toEqual(expected);
    // Express accepts the same proxies.
    if (name === 'TRUSTED_PROXIES') new JsonAdapter(expected as string[], 'http://127.0.0.1:3000', 1000);
  });

  it.each<[string, string, string[]]>([
    ['CONTENT_STORE', 'must be', ['tape']],
    [
      'CORS_ORIGINS',
      'must be origins like',
      [
        ...['app.example', 'https://', 'https://app.example/', 'https://app.example/path'],
        ...['https://app.example?', 'https://app.example#', 'https://user@app.example', 'https://*.example'],
        ...['https://app.example,', 'https://app.example *', '*,https://app.example', 'null'],
        ...['file:///tmp', 'ftp://app.example'],
      ],
    ],
    [
      'DATABASE_REPLICA_URLS',
      'must be a URL that starts with postgres:// or postgresql://',
      ['replica.example', 'postgres://a.example,'],
    ],
    ['DATABASE_REPLICA_URLS', 'must be URLs with a host, comma-separated', ['postgres:///filing']],
    [
      'DATABASE_REPLICA_URLS',
      'must be URLs without user and password',
      ['postgres://filing@a.example', 'postgres://a.example?user=x', 'postgres://a.example?host=b.example'],
    ],
    [
      'DATABASE_REPLICA_URLS',
      'must not name a server twice',
      ['postgres://a.example/one,postgres://a.example/two', 'postgres://a.example,postgres://a.example:5432'],
    ],
    ['DATABASE_REPLICA_URLS', 'must be at most 8 URLs', [replicas(9).join()]],
    ['MAIL_DKIM_DOMAIN', 'must be a domain', ['example']],
    ['MAIL_DKIM_SELECTOR', 'must be a selector', ['a; b']],
    [
      'MAIL_FROM',
      'must be an e-mail address',
      ['filing', 'a@example.com, b@example.com', 'Filing <filing>', 'Filing <a@b.example> x'],
    ],
    ['OCR', 'must be', ['yes']],
    ['OCR_LANGUAGES', 'must be', ['deu; rm -rf /', '--psm']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'must be a URL', ['collector:4317']],
    ['S3_ENDPOINT', 'must be', ['s3.example']],
    [
      'S3_PREFIX',
      'must be',
      ['/filing', 'filing//x', '../filing', 'a/./b', 'akten für alle', 'a'.repeat(501)],
    ],
    ['S3_SERVER_SIDE_ENCRYPTION', 'must be', ['rot13']],
    ['TIME_ZONE', 'must be the name of an IANA time zone', ['Europe/Nowhere', '+02:00', '07:00', 'x']],
    [
      'TRUSTED_PROXIES',
      'must be',
      [...['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.1,', '10.0.0.0/8/8'], '::/129'],
    ],
    ['WORKER_CONCURRENCY', 'must be', ['65']],
  ])('rejects other values of %s: %s', (name, reason, texts) => {
    for (const text of texts) {
      const loadInvalid = () => load({ [name]: text });
      expect(loadInvalid).toThrow(ConfigurationError);
      expect(loadInvalid).toThrow(`The configuration cannot be used: ${name} ${reason}`);
    }
  });

  it('reads OCR with its languages, and disables it by default', async () => {
    // Without a search for tesseract, which the environment does not have.
    expect(await findOcr(load({}), {})).toBeNull();
    const configuration = load({ OCR: 'tesseract', OCR_LANGUAGES: 'deu+eng+fra' });
    expect(configuration).toMatchObject({ ocr: 'tesseract', ocrLanguages: 'deu+eng+fra' });
  });

  it.each([
    [
      { DATABASE_URL: '' },
      'DATABASE_REPLICA_URLS requires DATABASE_URL: the embedded PostgreSQL has no replicas.',
    ],
    [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE must be at least 2 with DATABASE_REPLICA_URLS'],
  ])('rejects replicas with %j', (environment, message) => {
    const loadInvalid = () => load({ DATABASE_REPLICA_URLS: 'postgres://a.example', ...environment });
    expect(loadInvalid).toThrow(message);
  });
});
