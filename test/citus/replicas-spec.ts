import { expect, it } from '@jest/globals';
import { checkReplicas } from '../../src/platform/database/replicas/replica-check.js';
import { TestService } from '../support/service/service.js';

it('A distributed database refuses DATABASE_REPLICA_URLS', async () => {
  const { ownerUrl, serviceUrl } = (await TestService.shared()).database;
  const settings = { databaseReplicaUrls: ['postgres://127.0.0.1:9'], databaseDirectUrl: undefined };
  await expect(checkReplicas(ownerUrl, serviceUrl, settings, () => undefined)).rejects.toThrow(
    'DATABASE_REPLICA_URLS cannot be used with a distributed database: remove it, and add workers instead.',
  );
});
