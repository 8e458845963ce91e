import type { ModelEntry, ModelOutcomes, ModelProvider } from '@nexus/plugin-sdk';
import { type Probe, probe } from '../models/probe.ts';
import { withModels } from '../models/with-models.ts';
import { print, printJson } from '../terminal/output.ts';
import { table, tableWithText } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

interface Shown {
  readonly providers: readonly ModelProvider[];
  readonly outcomes: readonly ModelOutcomes[];
  readonly probes?: readonly Probe[];
}

export const models: Command = {
  usage: 'models',
  summary: 'show which language models were found, how, and what they cost',
  needsTrust: true,
  options: [
    { flags: '--probe', description: 'ask each for one token, which costs next to nothing' },
    jsonOption,
    configOption,
  ],
  examples: ['models', 'models --probe', 'models --json'],
  run: (_args, options) =>
    withModels(text(options, 'config'), async (all) => {
      const providers = await all.list();
      const probes = options.probe === true ? await probe(all, providers) : undefined;
      const read: Shown = { providers, outcomes: await all.outcomes(), ...(probes ? { probes } : {}) };
      if (options.json) printJson(read);
      else print(describe(read));
      return probes?.some(({ isGood }) => !isGood) ? 1 : 0;
    }),
};

function describe({ providers, outcomes, probes }: Shown): string[] {
  const sources = providers.map(({ name, isFound, reason }) => [name, isFound ? 'yes' : 'no', reason]);
  const found = providers.filter(({ isFound }) => isFound).flatMap((provider) => provider.models);
  return [
    ...tableWithText(['SOURCE', 'FOUND', 'WHY'], sources),
    '',
    ...(found.length === 0
      ? [
          'No language model is there. Set a key, install and log in one of the command lines, or use a host that offers sampling.',
        ]
      : table(
          ['MODEL', 'WINDOW', 'IN $/M', 'OUT $/M', 'AS OF', 'CALLS', 'WELL'],
          found.map((entry) => [...rowOf(entry), ...recordOf(entry, outcomes)]),
        )),
    ...(probes ? ['', ...table(['MODEL', 'PROBE', 'MS', 'SAID'], probes.map(probeRow))] : []),
  ];
}

function rowOf({ id, contextWindow, price, asOf }: ModelEntry): string[] {
  return [
    id,
    contextWindow?.toString() ?? '?',
    price?.input.toString() ?? '?',
    price?.output.toString() ?? '?',
    asOf ?? '',
  ];
}

function recordOf({ id }: ModelEntry, outcomes: readonly ModelOutcomes[]): string[] {
  const own = outcomes.filter(({ model }) => model === id);
  const runs = own.reduce((sum, each) => sum + each.runs, 0);
  const successes = own.reduce((sum, each) => sum + each.successes, 0);
  return [String(runs), runs === 0 ? '' : `${Math.round((successes / runs) * 100)}%`];
}

function probeRow({ model, isGood, latencyMs, said }: Probe): string[] {
  return [model, isGood ? 'ok' : 'FAILED', String(latencyMs), said];
}
