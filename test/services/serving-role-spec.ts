import { describe } from '@jest/globals';
import { describeServingRole } from '../security/tenant-isolation/serving-role-contract.js';
import { PostgresServer } from './postgres-server.js';

describe('The serving role on an installed PostgreSQL', () =>
  describeServingRole(() => PostgresServer.start('log_statement=all')));
