import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConnectionFailed, FilingProblem } from '../../../clients/typescript/client.js';
import { Problem } from '../../common/problem.js';
import { ConfigurationError } from '../../platform/config/configuration.js';
import { integer } from '../../platform/config/variable.js';
import { ContentStoreStartError } from '../../platform/content/content-store.js';
import { DatabaseStartError } from '../../platform/database/embedded/database-start-error.js';
import { DatabaseSetupError } from '../../platform/database/service-role/service-role.js';
import { TenantChangeRefused } from '../../platform/tenancy/tenants/tenant-administration.js';
import { PostgresProgramFailed } from '../backup/postgres-programs.js';

/** Wrong usage of a command; the message is one sentence. */
export class UsageError extends Error {}

/** Standard output was closed by its reader, for example by `… | head`. */
class OutputClosed extends Error {}

/** An option of `parseArgs` with its text for `--help`. */
type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** Placeholder of the value in `--help`, for example `<slug>`. */
  readonly value?: string;
  readonly help: string;
};

type Options = Readonly<Record<string, Option>>;

/** Arguments of a command, used by the parser and by `--help`. */
interface Command<O extends Options> {
  readonly summary: string;
  readonly usage: readonly string[];
  readonly options: O;
  /** Operands (arguments that are not options): exactly one, or with `many` at least one. */
  readonly operand?: { readonly name: string; readonly many?: boolean };
  readonly details?: string;
  readonly examples: readonly string[];
}

interface ParsedArguments<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O }>>['values'];
  readonly operands: readonly [string, ...string[]];
}

export type Arguments<C> = C extends Command<infer O> ? ParsedArguments<O> : never;

/** Returns its argument with the exact type of each option. */
export function command<const O extends Options>(table: Command<O>): Command<O> {
  return table;
}

function helpText({ summary, usage, options, details, examples }: Command<Options>): string {
  const rows = Object.entries(options).map(
    ([name, { short, value, help, default: preset }]): [string, string] => [
      `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      `${help}${typeof preset === 'string' ? ` Default: ${preset}.` : ''}`,
    ],
  );
  rows.push(['-h, --help', 'Prints this help.']);
  const width = Math.max(...rows.map(([option]) => option.length)) + 2;
  const lines = rows.map(
    ([option, help]) => option.padEnd(width) + help.replaceAll('\n', `\n${' '.repeat(width)}`),
  );
  const sections = [
    summary,
    section('Usage', usage),
    details,
    section('Options', lines),
    section(examples.length === 1 ? 'Example' : 'Examples', examples),
  ];
  return `${sections.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}`;
}

/** @throws UsageError */
export function parseArguments<O extends Options>(
  { options, operand }: Command<O>,
  args: readonly string[],
): ParsedArguments<O> {
  let read;
  try {
    read = parseArgs({ args, options, allowPositionals: operand !== undefined });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const [sentence = ''] = message.split(/[.\n]/);
    const known = Object.keys(options).map((name) => `--${name}`);
    const hint =
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && known.length > 0
        ? ` The options are ${known.join(', ')}.`
        : '';
    throw new UsageError(`${sentence}.${hint}`);
  }
  const { values, positionals } = read;
  if (operand && (positionals.length === 0 || (positionals.length > 1 && !operand.many)))
    throw new UsageError(`Expected ${operand.many ? 'at least one' : 'exactly one'} ${operand.name}.`);
  return { values, operands: positionals as [string, ...string[]] };
}

/** Reads the value of an option. @throws UsageError, with `orElse` for what the option also accepts */
export function wholeNumber(option: string, text: string, max: number, orElse = ''): number {
  try {
    return integer(1, max, 1)(text);
  } catch (error) {
    throw new UsageError(`--${option} ${(error as Error).message}${orElse}.`);
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => arg === '--help' || arg === '-h');
}

let outputIsClosed = false;

/** Throws OutputClosed, which ends the command, if the reader has closed standard output. */
export function print(text: string): void {
  if (outputIsClosed) throw new OutputClosed();
  process.stdout.write(text);
}

/** Ignores EPIPE: a reader may close the output early (`extract … | head`, `npm start 2>&1 | head`). */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      outputIsClosed ||= stream === process.stdout;
    });
  }
}

/**
 * Runs a command, or only prints its help. Prints an expected error as one sentence on standard error. The exit code is 2
 * for wrong usage and 1 for other errors.
 */
export async function runCommand<O extends Options>(
  table: Command<O>,
  run: (read: ParsedArguments<O>) => Promise<number | void>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  ignoreClosedOutput();
  try {
    if (asksForHelp(args)) print(helpText(table));
    else process.exitCode = (await run(parseArguments(table, args))) ?? 0;
  } catch (error) {
    if (error instanceof OutputClosed) return;
    const usage = error instanceof UsageError;
    process.stderr.write(`${messageOf(error)}${usage ? ' See --help.' : ''}\n`);
    process.exitCode = usage ? 2 : 1;
  }
}

/** A function that runs a command with arguments. */
export function subcommand<O extends Options>(
  table: Command<O>,
  run: (read: ParsedArguments<O>) => Promise<void>,
): (args: readonly string[]) => Promise<void> {
  return (args) => runCommand(table, run, args);
}

/** Errors at the start of the service or of a command that the operator can correct. The message is one sentence. */
export const START_ERRORS = [
  ConfigurationError,
  ContentStoreStartError,
  DatabaseStartError,
  DatabaseSetupError,
];

const EXPECTED = [
  UsageError,
  ...START_ERRORS,
  PostgresProgramFailed,
  TenantChangeRefused,
  FilingProblem,
  ConnectionFailed,
];

function messageOf(error: unknown): string {
  if (error instanceof Problem) return error.wording('en').detail;
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
  return String((error as Error).stack);
}
