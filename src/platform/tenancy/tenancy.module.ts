import { Global, Module } from '@nestjs/common';
import { AccessDirectory } from './access/access.directory.js';
import { ExpirySweep } from './tenants/expiry-sweep.js';
import { GrantsReader } from './access/grants.reader.js';
import { IdempotencyExpiry } from './tenants/idempotency-expiry.js';
import { UsersRepository } from './users/users.repository.js';

@Global()
@Module({
  providers: [AccessDirectory, ExpirySweep, GrantsReader, IdempotencyExpiry, UsersRepository],
  exports: [AccessDirectory, ExpirySweep, GrantsReader, UsersRepository],
})
export class TenancyModule {}
