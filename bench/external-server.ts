import { type LoadRequest } from './load.js';

/** A server outside this benchmark. Its file ids differ, so they are read from it first. */
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
 * @param path the only path to read, for servers with another API; counts as ListFiles
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
  if (!first) throw new Error(`${url} has no files`);
  let index = 0;
  const nextId = () => (items[(index += 1) % items.length] ?? first).id;
  let made = 0;
  const createFile = (): LoadRequest => {
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
      GetFile: () => ({ method: 'GET', path: `${pathname}/files/${nextId()}` }),
      ListFileDocuments: () => ({ method: 'GET', path: `${pathname}/files/${nextId()}/documents?limit=50` }),
      CreateFile: createFile,
    },
  };
}
