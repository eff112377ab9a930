import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { Log } from '../logging/log.js';
import { TokenVerifier } from './token-verifier.js';

@Global()
@Module({
  providers: [
    {
      provide: TokenVerifier,
      useFactory: (configuration: Configuration, log: Log) => new TokenVerifier(configuration, log),
      inject: [CONFIGURATION, Log],
    },
  ],
  exports: [TokenVerifier],
})
export class IdentityModule {}
