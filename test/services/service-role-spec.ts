import { describe } from '@jest/globals';
import { describeServiceRole } from '../security/tenant-isolation/service-role-contract.js';
import { PostgresServer } from './postgres-server.js';

// The tests search the log of the server for statements and passwords.
describe('The service role on PostgreSQL from the Debian package', () =>
  describeServiceRole(() => PostgresServer.start('log_statement=all')));
