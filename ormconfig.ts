import { loadConfiguration } from './src/platform/config/configuration.js';
import { ownerDataSource } from './src/platform/database/data-source.js';
import { ENTITIES } from './src/entities.js';

/** For the TypeORM command line: `DATABASE_URL=… npm run typeorm -- migration:show`. */
const { databaseOwnerUrl } = loadConfiguration();
if (!databaseOwnerUrl) throw new Error('Set DATABASE_URL to the URL of the role that owns the schema.');

export default ownerDataSource(databaseOwnerUrl, ENTITIES);
