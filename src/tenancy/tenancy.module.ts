import { Global, Module } from '@nestjs/common';
import { AccessDirectory } from './access.directory.js';
import { GrantsReader } from './grants.reader.js';
import { UsersRepository } from './users.repository.js';

@Global()
@Module({
  providers: [AccessDirectory, GrantsReader, UsersRepository],
  exports: [AccessDirectory, GrantsReader, UsersRepository],
})
export class TenancyModule {}
