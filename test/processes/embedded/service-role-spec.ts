import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe } from '@jest/globals';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { postgresFolder } from '../../support/postgres-folder.js';
import {
  type LoggingServer,
  describeServiceRole,
} from '../../security/tenant-isolation/service-role-contract.js';

async function start(): Promise<LoggingServer> {
  const directory = await postgresFolder('filing-roles-');
  const database = await startEmbeddedPostgres({
    directory,
    log: () => undefined,
    settings: { fsync: 'off', log_statement: 'all', log_min_messages: 'warning' },
  });
  return {
    superuserUrl: database.url,
    log: () => readFile(path.join(directory, 'postgres.log'), 'utf8'),
    async stop() {
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

describe('The service role on the embedded PostgreSQL', () => describeServiceRole(start));
