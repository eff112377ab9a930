import { loginOf, withLogin } from '../connections/connection-urls.js';

/** Parameters of a URL that name the server or the login. */
const OWN_PARAMETERS = ['host', 'port', 'user', 'password'];

/**
 * URL of the service role on a replica. What `replicaUrl` leaves out is that of the primary: login, database and
 * parameters such as those of TLS. A replica has the same roles and passwords.
 *
 * @param serviceUrl URL of the service role on the primary itself, not through a pooler
 */
export function serviceUrlOn(replicaUrl: string, serviceUrl: string): string {
  const replica = new URL(replicaUrl);
  const { pathname, searchParams } = new URL(serviceUrl);
  for (const name of OWN_PARAMETERS) searchParams.delete(name);
  for (const [name, value] of replica.searchParams) searchParams.set(name, value);
  replica.search = searchParams.toString();
  if (replica.pathname.length <= 1) replica.pathname = pathname;
  return withLogin(replica.toString(), loginOf(serviceUrl));
}

/** Name of a replica in the log and in metrics. */
export function replicaName(replicaUrl: string): string {
  const { hostname, port } = new URL(replicaUrl);
  return `${hostname}:${port || '5432'}`;
}
