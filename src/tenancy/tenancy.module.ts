import { Global, Module } from '@nestjs/common';
import { AccessDirectory } from './access.directory.js';
import { ExpirySweep } from './expiry-sweep.js';
import { GrantsReader } from './grants.reader.js';
import { IdempotencyExpiry } from './idempotency-expiry.js';
import { UsersRepository } from './users.repository.js';

@Global()
@Module({
  providers: [AccessDirectory, ExpirySweep, GrantsReader, IdempotencyExpiry, UsersRepository],
  exports: [AccessDirectory, ExpirySweep, GrantsReader, UsersRepository],
})
export class TenancyModule {}
