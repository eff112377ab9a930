import path from 'node:path';
import { type Account, NO_NEW_PRIVILEGES, findNobody, switchUserTo, works } from '../isolation.js';

/** Size of all files in the sandbox, in bytes. They are in memory. */
export const SANDBOX_FILES = 512 * 1024 * 1024;

/** What a program of Linux, its libraries and the fonts need. Nothing here belongs to the service. */
const VISIBLE = [
  ...['/bin', '/lib', '/lib64', '/usr/bin', '/usr/lib', '/usr/lib64', '/usr/libexec', '/usr/share'],
  ...[
    '/usr/local/share/fonts',
    '/etc/fonts',
    '/var/cache/fontconfig',
    '/etc/ld.so.cache',
    '/etc/alternatives',
  ],
  ...['/etc/libreoffice', '/var/lib/libreoffice', '/dev/null', '/dev/urandom'],
];

/**
 * Makes the file system of the sandbox, then starts a command without privileges. Arguments: options of `setpriv`, folder
 * of the program, command. `umount` needs /proc. The command has none: so it sees no other processes, and containers
 * need not allow to mount it. /sys is only a folder that exists everywhere.
 */
const BUILD = `
set -e
options=$1 folder=$2; shift 2
mount -t tmpfs -o "mode=0755,nosuid,size=${SANDBOX_FILES}" tmpfs /sys
cd /sys
for path in ${VISIBLE.join(' ')} "$folder"; do
  if [ ! -e "$path" ] || [ -e ".$path" ]; then continue; fi
  mkdir -p ".\${path%/*}"
  if [ -h "$path" ]; then cp -P "$path" ".$path"
  elif [ -d "$path" ]; then mkdir ".$path"; mount --rbind "$path" ".$path"
  else : >".$path"; mount --bind "$path" ".$path"; fi
done
mkdir -p tmp old
chmod 1777 tmp
pivot_root . old
cd /
ln -s old/proc proc
umount -l old
rm proc
rmdir old
exec setpriv $options "$@"`;

/** Own mounts, network, shared memory and processes, which all end when `unshare` ends. */
const UNSHARE = ['unshare', '-m', '-n', '-i', '-p', '-f', '--kill-child'];
/** For `unshare`, which ends with the service, and for its child: a change of the user resets `--kill-child`. */
const END_WITH_PARENT = ['--pdeathsig', 'KILL'];
const DROP = [...END_WITH_PARENT, '--bounding-set=-all', '--inh-caps=-all'];

/**
 * Isolates an installed program, to which Node's permission model does not apply: it sees the files of the system that it
 * needs and an empty /tmp, which disappears with it, and no other processes and no network.
 */
export interface Sandbox {
  /** Command prefix that starts a program in the sandbox. */
  readonly wrapper: readonly string[];
  /** User that starts the wrapper; null for the user of the service. */
  readonly user: Account | null;
}

/** The sandbox in which this platform can run the program; null if there is none. */
export async function findSandbox(program: string): Promise<Sandbox | null> {
  for (const sandbox of await sandboxesFor(program))
    if (await works(sandbox.wrapper, sandbox.user, [program])) return sandbox;
  return null;
}

/** Exported for its test. All variants, the one with the fewest privileges first. */
export async function sandboxesFor(program: string): Promise<Sandbox[]> {
  if (process.platform !== 'linux') return [];
  const variant = (
    unshare: readonly string[],
    options: readonly string[],
    user: Account | null,
  ): Sandbox => ({
    wrapper: [
      ...[...NO_NEW_PRIVILEGES, ...END_WITH_PARENT, ...unshare],
      ...['/bin/sh', '-c', BUILD, 'sh', options.join(' '), path.dirname(path.dirname(program))],
    ],
    user,
  });
  const nobody = await findNobody();
  return [
    // Only root of a user namespace may mount.
    variant([...UNSHARE, '-U', '-r'], DROP, nobody),
    // For systems without user namespaces: root makes the others.
    ...(nobody ? [variant(UNSHARE, [...switchUserTo(nobody), ...DROP], null)] : []),
  ];
}
