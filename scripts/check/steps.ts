/** One thing that must hold before a change lands. */
export interface Step {
  readonly name: string;
  /** Run at the root of the workspace; programs of its own dependencies are found. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What it proves, for `--help`. */
  readonly proves: string;
  /** The steps without which this one can say nothing. */
  readonly needs?: readonly string[];
  /** It takes every core there is, and its tests are not to wait for those of another. */
  readonly fillsMachine?: boolean;
  /** It is left out unless it is asked for. */
  readonly onRequest?: true;
  /** Which report its tests are counted from, per package; without it a failure counts as one. */
  readonly report?: 'unit' | 'e2e' | 'slow' | 'scripts' | 'simulate' | 'simulate-slow';
}

/** Quick ones first, so that a slip shows soon. */
export const steps: readonly Step[] = [
  { name: 'lint', command: ['biome', 'check', '.'], proves: 'format and lint rules hold' },
  { name: 'manifests', command: ['sherif'], proves: 'the package.json files agree with each other' },
  { name: 'unused', command: ['knip'], proves: 'no file, export or dependency is unused' },
  { name: 'types', command: ['tsc'], proves: 'packages, app and scripts type-check' },
  { name: 'build', command: turbo('build'), proves: 'the app bundles' },
  {
    name: 'governance',
    command: ['tsx', 'scripts/governance/cli.ts', 'check'],
    proves: 'layers, tool definitions, lock, docs and layout agree with the code',
    needs: ['build'],
  },
  {
    name: 'unit-scripts',
    command: ['vitest', 'run', '--config', 'scripts/vitest.config.ts'],
    proves: 'unit tests of the scripts',
    // One of them runs the command from a clone, which builds what is not built.
    needs: ['build'],
    report: 'scripts',
  },
  {
    name: 'new-plugin',
    command: turbo('//#check:new-plugin'),
    proves: '`pnpm new:plugin` makes a plugin that passes every check; left out unless it is named',
    // What is wrong without the plugin is wrong with it too.
    needs: ['lint', 'manifests', 'unused', 'types', 'build', 'governance'],
    onRequest: true,
  },
  {
    name: 'unit',
    command: turbo('test', 4),
    proves: 'unit tests of every package',
    report: 'unit',
  },
  {
    name: 'simulate',
    command: worlds('worlds', 'simulate'),
    proves: 'durable runs hold in 2 000 simulated worlds',
    fillsMachine: true,
    report: 'simulate',
  },
  {
    name: 'e2e',
    command: turbo('test:e2e'),
    proves: 'real processes with real clients',
    needs: ['build'],
    fillsMachine: true,
    report: 'e2e',
  },
  {
    name: 'slow',
    command: turbo('test:slow'),
    proves:
      'every moment to be killed at, each size, page and database, a minute of real time; left out unless it is named',
    needs: ['build'],
    fillsMachine: true,
    onRequest: true,
    report: 'slow',
  },
  {
    name: 'simulate-slow',
    command: worlds('slow', 'simulate-slow'),
    proves: 'they hold in 20 000, which find each fault that is put back; left out unless it is named',
    fillsMachine: true,
    onRequest: true,
    report: 'simulate-slow',
  },
  {
    name: 'mutate',
    command: ['tsx', 'scripts/mutate/cli.ts', '--changed', '--minutes', '15'],
    proves:
      'tests notice when a guard that the last commit changed is changed again; left out unless it is named',
    fillsMachine: true,
    onRequest: true,
  },
  {
    name: 'measures',
    command: ['tsx', 'scripts/bench/cli.ts', '--rehearse'],
    proves: 'what the page on performance tells can be measured; left out unless it is named',
    needs: ['build'],
    fillsMachine: true,
    onRequest: true,
  },
  {
    name: 'growth',
    command: ['tsx', 'scripts/bench/growth/cli.ts', '--small'],
    proves: 'no cost outgrows its work, at small sizes; left out unless it is named',
    needs: ['build'],
    fillsMachine: true,
    onRequest: true,
  },
  {
    name: 'day',
    command: ['tsx', 'scripts/bench/day/cli.ts', '--small'],
    proves:
      'a server that is used and started anew over and over holds no more at the end; left out unless it is named',
    needs: ['build'],
    fillsMachine: true,
    onRequest: true,
  },
];

function worlds(file: string, report: string): Step['command'] {
  const config = 'scripts/simulate/vitest.config.ts';
  return ['vitest', 'run', file, '--config', config, `--outputFile.json=../../.reports/${report}.json`];
}

/** So many packages at a time: many a test waits, for a process or for a deadline, and unit tests of one package go one by one. */
function turbo(task: string, atATime = 3): Step['command'] {
  return [
    'tsx',
    'scripts/turbo.ts',
    'run',
    task,
    '--output-logs=errors-only',
    '--continue=dependencies-successful',
    `--concurrency=${atATime}`,
  ];
}
