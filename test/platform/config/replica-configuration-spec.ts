import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';

const DATABASE_URL = 'postgres://filing:secret@db.example/filing';
const load =
  (urls: string, environment: NodeJS.ProcessEnv = {}) =>
  () =>
    loadConfiguration({ DATABASE_URL, DATABASE_REPLICA_URLS: urls, ...environment });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => `postgres://replica-${index}.example`).join(',');

describe('DATABASE_REPLICA_URLS', () => {
  it('is empty by default', () => {
    expect(loadConfiguration({}).databaseReplicaUrls).toEqual([]);
    expect(load('')().databaseReplicaUrls).toEqual([]);
  });

  it('accepts up to eight URLs', () => {
    expect(load('postgres://a.example, postgresql://b.example:5433/filing?sslmode=require')()).toMatchObject({
      databaseReplicaUrls: ['postgres://a.example', 'postgresql://b.example:5433/filing?sslmode=require'],
    });
    expect(load(many(8))().databaseReplicaUrls).toHaveLength(8);
  });

  it.each([
    ['replica.example', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres://a.example,', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres:///filing', 'must be URLs with a host, comma-separated'],
    ['postgres://filing@a.example', 'must be URLs without user and password'],
    ['postgres://a.example?user=filing', 'must be URLs without user and password'],
    ['postgres://a.example?host=b.example', 'must be URLs without user and password'],
    ['postgres://a.example/one,postgres://a.example/two', 'must not name a server twice'],
    ['postgres://a.example,postgres://a.example:5432', 'must not name a server twice'],
    [many(9), 'must be at most 8 URLs'],
  ])('refuses %s', (urls, reason) => {
    expect(load(urls)).toThrow(`The configuration cannot be used: DATABASE_REPLICA_URLS ${reason}`);
  });

  it('is refused with the embedded PostgreSQL', () => {
    expect(load('postgres://a.example', { DATABASE_URL: '' })).toThrow(
      'DATABASE_REPLICA_URLS requires DATABASE_URL: the embedded PostgreSQL has no replicas.',
    );
  });

  it('is refused with a pool of one connection', () => {
    expect(load('postgres://a.example', { DATABASE_POOL_SIZE: '1' })).toThrow(
      'DATABASE_POOL_SIZE must be at least 2 with DATABASE_REPLICA_URLS',
    );
  });
});
