import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, loadConfiguration } from '../../../src/platform/config/configuration.js';
import { JsonAdapter } from '../../../src/platform/http/response/json-adapter.js';

const load = (proxies: string) => loadConfiguration({ TRUSTED_PROXIES: proxies }).trustedProxies;

describe('TRUSTED_PROXIES', () => {
  it.each([
    ['', []],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, fd00::/8 ,::1', ['10.0.0.0/8', 'fd00::/8', '::1']],
    ['loopback,uniquelocal', ['loopback', 'uniquelocal']],
  ])('accepts %j, which Express accepts as well', (text, ranges) => {
    expect(load(text)).toEqual(ranges);
    expect(() => new JsonAdapter(ranges, 'http://127.0.0.1:3000', 1000)).not.toThrow();
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.1,', '10.0.0.0/8/8', '::/129'])(
    'rejects %j, which Express does not accept',
    (text) => {
      expect(() => load(text)).toThrow(ConfigurationError);
      expect(() => load(text)).toThrow(/TRUSTED_PROXIES must be/);
    },
  );
});
