import pg from 'pg';

interface Login {
  readonly user: string;
  readonly password: string;
}

/** User and password of a URL of the database, or of PGUSER and PGPASSWORD. */
export function loginOf(url: string): Login {
  const { user = '', password } = new pg.Client({ connectionString: url });
  return { user, password: password ?? '' };
}

/** The URL of the same database for another login role. */
export function withLogin(databaseUrl: string, { user, password }: Login): string {
  const url = new URL(databaseUrl);
  if (url.pathname.length <= 1) {
    // The default of the name is that of the user.
    const { database = '' } = new pg.Client({ connectionString: databaseUrl });
    url.pathname = `/${encodeURIComponent(database)}`;
  }
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  if (url.hostname) {
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password);
  } else {
    // In a URL without a host (postgres:///filing?host=/run/postgresql), user and password can only be parameters.
    url.searchParams.set('user', user);
    if (password) url.searchParams.set('password', password);
  }
  return url.toString();
}
