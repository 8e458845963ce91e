import process from 'node:process';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { makePlugin } from './make-plugin.ts';

const HELP = `Makes a plugin that passes every check, in one step.

  npx -y pnpm@12 new:plugin <name> [--with-run]

The name is lower-case words joined by dashes; it is the folder, the plugin's name and its section of
the config. With --with-run it has a second tool, which is a run: durable work, on record before it
begins, in one object. The plugin is written to packages/plugins/<name>, bundled with the app, and listed in the
lock and the docs.

Examples:
  npx -y pnpm@12 new:plugin release-notes
  npx -y pnpm@12 new:plugin jira --with-run
`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { 'with-run': { type: 'boolean' } },
});
const [name, ...more] = positionals;

if (name === undefined || more.length > 0) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else {
  await makePlugin(openWorkspace(), name, { withRun: values['with-run'] === true }).then(
    report,
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}

function report(files: readonly string[]): void {
  process.stdout.write(`${files.map((file) => `wrote ${file}`).join('\n')}

Next:
  1. Replace the example tool in packages/plugins/${name}/src by your own; one tool a file.
  2. npx -y pnpm@12 governance update   brings lock and docs up to date
  3. npx -y pnpm@12 check               runs what CI runs
`);
}
