import { Global, Module } from '@nestjs/common';
import { AccessRevocation } from './access/access-revocation.js';
import { AccessRevocationRepository } from './access/access-revocation.repository.js';
import { AccessDirectory } from './access/access.directory.js';
import { AccessRepository } from './access/access.repository.js';
import { GrantsReader } from './access/grants.reader.js';
import { ExpirySweep } from './tenants/expiry-sweep.js';
import { IdempotencyKeysRepository } from './tenants/idempotency-keys.repository.js';
import { ServiceSecretsReader } from './tenants/service-secrets.reader.js';
import { TenantsReader } from './tenants/tenants.reader.js';
import { TenantsRepository } from './tenants/tenants.repository.js';
import { UsersRepository } from './users/users.repository.js';

@Global()
@Module({
  providers: [
    AccessDirectory,
    AccessRevocation,
    AccessRevocationRepository,
    AccessRepository,
    ExpirySweep,
    GrantsReader,
    IdempotencyKeysRepository,
    ServiceSecretsReader,
    TenantsReader,
    TenantsRepository,
    UsersRepository,
  ],
  exports: [
    AccessDirectory,
    AccessRevocation,
    ExpirySweep,
    GrantsReader,
    ServiceSecretsReader,
    TenantsReader,
    TenantsRepository,
    UsersRepository,
  ],
})
export class TenancyModule {}
