import { definitionLines } from '../terminal/definition-lines.ts';
import { fold } from '../terminal/fit.ts';
import { wrap } from '../terminal/wrap.ts';

const WHAT =
  "Serves MCP over stdin and stdout; this is what a host's config starts. The first process of a project serves, every further one joins it, and when it ends one of the others goes on.";

const MODES = [
  ['--mode=server', "join the project's running server, or become it"],
  ['--mode=client', 'only join; fails where no server runs'],
] as const;

const OPTIONS = [
  ['--config <file>', 'config file (default: nexus.config.json or .yaml, here or in a folder above)'],
  ['--verbose', 'log every registration and call to stderr'],
  ['--standalone', 'share with no other process'],
  ['-h, --help', 'show this'],
] as const;

const EXAMPLES = ['nexus --mode=server', 'nexus --mode=server --config ~/team/nexus.config.yaml --verbose'];

/** What may stand behind `nexus --mode=server`, in rows of at most so many columns. */
export function serverHelp(columns: number): string {
  const below = (rows: readonly string[]) => rows.map((row) => `  ${row}`);
  return [
    'Usage: nexus --mode=server [options]',
    '',
    ...wrap(WHAT, columns),
    ...['', 'Modes:', ...below(definitionLines(MODES, columns - 2))],
    ...['', 'Options:', ...below(definitionLines(OPTIONS, columns - 2))],
    ...['', 'Examples:', ...below(fold(EXAMPLES, columns - 2))],
    '',
  ].join('\n');
}
