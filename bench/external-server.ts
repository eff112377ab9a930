import { type LoadRequest } from './load.js';

/** Sends the load of the bench to a server elsewhere, which has other ids: they are asked of it first. */
export interface ExternalServer {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly loads: Readonly<Partial<Record<string, () => LoadRequest>>>;
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly fileTypeId: string }[];
}

/**
 * @param url the base URL of a tenant, or any URL with `path`
 * @param path one path that is read instead, for servers that speak another interface; it stands for ListFiles
 */
export async function openExternalServer(
  url: string,
  token: string | undefined,
  path: string | undefined,
): Promise<ExternalServer> {
  const { origin, pathname } = new URL(url);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (path !== undefined) return { origin, headers, loads: { ListFiles: () => ({ method: 'GET', path }) } };
  const list: LoadRequest = { method: 'GET', path: `${pathname}/files?limit=50` };
  const response = await fetch(origin + list.path, { headers });
  if (!response.ok) throw new Error(`${url}/files: ${response.status} ${await response.text()}`);
  const { items } = (await response.json()) as Listed;
  const [first] = items;
  if (!first) throw new Error(`${url} has no files to read`);
  let turn = 0;
  const some = () => (items[(turn += 1) % items.length] ?? first).id;
  let made = 0;
  const creating = (): LoadRequest => {
    const number = `NEW-${process.pid}-${Date.now()}-${(made += 1)}`;
    const body = {
      fileTypeId: first.fileTypeId,
      number,
      name: 'Neubau Feuerwache Nord, zweiter Bauabschnitt',
    };
    return { method: 'POST', path: `${pathname}/files`, body: JSON.stringify(body) };
  };
  return {
    origin,
    headers,
    loads: {
      ListFiles: () => list,
      GetFile: () => ({ method: 'GET', path: `${pathname}/files/${some()}` }),
      ListFileDocuments: () => ({ method: 'GET', path: `${pathname}/files/${some()}/documents?limit=50` }),
      CreateFile: creating,
    },
  };
}
