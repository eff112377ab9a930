import { type Configuration } from '../../config/configuration.js';
import { loginOf, withLogin } from '../connections/connection-urls.js';
import { serviceSettings } from '../connections/session-limits.js';
import { ensureServiceRole } from '../service-role/derived-service-role.js';
import { checkServiceRole } from '../service-role/service-role-check.js';
import { checkPooler } from './pooler-check.js';
import { ensureRoleSettings } from './role-settings.js';

type Settings = Pick<
  Configuration,
  'databaseUrl' | 'databaseServiceUrl' | 'databaseDirectUrl' | 'databasePrepared' | 'databaseStatementTimeout'
>;

/**
 * Returns the URL with which requests are served, after checks of the service role. With a pooler (DATABASE_DIRECT_URL),
 * the URL leads through it. The pooler passes no settings of a session on, so they are settings of the role.
 *
 * @param ownerUrl URL of the owner role on the server itself
 */
export async function prepareServiceRole(
  ownerUrl: string,
  configuration: Settings,
  log: (line: string) => void,
): Promise<string> {
  const { databaseUrl, databaseServiceUrl, databaseDirectUrl, databasePrepared } = configuration;
  const serviceUrl = await ensureServiceRole(ownerUrl, databaseServiceUrl, log);
  if (!databaseDirectUrl || !databaseUrl) {
    await checkServiceRole(serviceUrl, log);
    return serviceUrl;
  }
  const login = loginOf(serviceUrl);
  const directUrl = withLogin(databaseDirectUrl, login);
  await checkServiceRole(directUrl, log);
  const settings = serviceSettings(configuration.databaseStatementTimeout);
  // The settings of another role are for its administrator to change.
  if (!databaseServiceUrl) await ensureRoleSettings(ownerUrl, login.user, settings);
  const pooledUrl = databaseServiceUrl ?? withLogin(databaseUrl, login);
  await checkPooler({ pooledUrl, directUrl, settings, prepared: databasePrepared }, log);
  return pooledUrl;
}
