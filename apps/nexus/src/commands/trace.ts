import type { RunDetail } from '@nexus/plugin-sdk';
import { readTraceOf } from '@nexus/tracing';
import { loadConfig } from '../loaded-config/load-config.ts';
import { askRuns } from '../runs/ask-runs.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { traceLines } from '../terminal/trace-lines.ts';
import { windowSize } from '../terminal/window-size.ts';
import { traceFolder } from '../tracing/create-tracing.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

export const trace: Command = {
  usage: 'trace <id>',
  summary: 'draw how a run went: its steps, waits, tools and models on one timeline',
  options: [jsonOption, configOption],
  examples: ['trace run_5b0c', 'trace run_5b0c --json'],
  async run([given], options) {
    const config = text(options, 'config');
    const { rootId } = await askRuns<RunDetail>({ what: 'show', id: String(given) }, config);
    const loaded = await loadConfig({ config });
    const folder = traceFolder(loaded.dataDir);
    const found = await readTraceOf(folder, rootId);
    if (!found || found.spans.length === 0) {
      return fail(
        `no trace of ${rootId} in ${folder}: a span is written when it is over, on the machine that did it, where traces.enabled is true, and goes after traces.keepDays. What the run came to: nexus runs ${rootId}`,
      );
    }
    if (options.json === true) return printJson(found);
    const lines = traceLines(found.spans, windowSize(process.stdout).columns);
    return print([
      `Trace ${found.spans[0]?.traceId} of ${rootId}`,
      '',
      ...lines,
      ...(found.unread > 0 ? [`${found.unread} of its lines can’t be read.`] : []),
    ]);
  },
};
