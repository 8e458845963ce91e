// A command line of a model, as the real one prints. It reads what to do from plan.json beside it, and keeps
// what it was given in calls.jsonl.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const program = basename(process.argv[1]);
const folder = dirname(process.argv[1]);
const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))[program];
const input = readFileSync(0, 'utf8');
const line = (value) => `${JSON.stringify(value)}\n`;

const { input: read = 11, output: written = 3 } = plan.usage ?? {};
const text = plan.text ?? '';

const outputs = {
  claude: () =>
    [
      { type: 'system', subtype: 'init', session_id: 's', tools: [] },
      {
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      },
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } },
      {
        type: 'result',
        subtype: plan.error ? 'error_during_execution' : 'success',
        is_error: plan.error !== undefined,
        result: plan.error ?? text,
        total_cost_usd: 0.002,
        usage: {
          input_tokens: read,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: written,
        },
      },
    ]
      .map(line)
      .join(''),
  codex: () =>
    [
      { type: 'thread.started', thread_id: 't' },
      { type: 'turn.started' },
      ...(plan.error
        ? [
            { type: 'error', message: plan.error },
            { type: 'turn.failed', error: { message: plan.error } },
          ]
        : [
            { type: 'item.completed', item: { id: 'item_0', type: 'reasoning', text: 'thinking' } },
            { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } },
            {
              type: 'turn.completed',
              usage: { input_tokens: read, cached_input_tokens: 0, output_tokens: written },
            },
          ]),
    ]
      .map(line)
      .join(''),
  gemini: () =>
    `Loaded cached credentials.\n${JSON.stringify(
      plan.error
        ? { error: { type: 'ApiError', message: plan.error, code: 1 } }
        : {
            response: text,
            stats: {
              models: {
                'gemini-x': {
                  tokens: {
                    prompt: read,
                    candidates: written,
                    cached: 0,
                    thoughts: 0,
                    total: read + written,
                  },
                },
              },
            },
          },
      null,
      2,
    )}\n`,
  opencode: () =>
    [
      { type: 'step_start', timestamp: 1, sessionID: 's', part: { type: 'step-start' } },
      ...(plan.error
        ? [
            {
              type: 'error',
              timestamp: 2,
              sessionID: 's',
              error: { name: 'ProviderError', data: { message: plan.error } },
            },
          ]
        : [
            { type: 'text', timestamp: 2, sessionID: 's', part: { type: 'text', text } },
            {
              type: 'step_finish',
              timestamp: 3,
              sessionID: 's',
              part: {
                type: 'step-finish',
                reason: 'stop',
                cost: 0.001,
                tokens: { input: read, output: written, reasoning: 0, cache: { read: 0, write: 0 } },
              },
            },
          ]),
    ]
      .map(line)
      .join(''),
};

/** What it says of the servers that its user has configured, in the real one's words. */
const listings = {
  'mcp list --json': () => (plan.servers ?? []).map((name) => ({ name, enabled: true })),
  'debug config': () => ({
    mcp: Object.fromEntries((plan.servers ?? []).map((name) => [name, { type: 'local' }])),
  }),
};
const listing = listings[process.argv.slice(2).join(' ')];
if (listing) {
  process.stdout.write(`${JSON.stringify(listing(), null, 2)}\n`);
  process.exit();
}

const child = plan.does === 'hang' ? endlessChild() : undefined;
appendFileSync(
  join(folder, 'calls.jsonl'),
  line({
    program,
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    input,
    pids: [process.pid, child?.pid].filter(Boolean),
  }),
);

if (plan.does === 'hang') setInterval(() => {}, 1000);
else {
  if (plan.stderr) process.stderr.write(plan.stderr);
  process.stdout.write(plan.does === 'rubbish' ? plan.text : (outputs[program]?.() ?? ''));
  process.exitCode = plan.exitCode ?? 0;
}

/** What a real one may leave behind: a child of its own that ends by itself never and ignores SIGTERM. */
function endlessChild() {
  return spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], {
    stdio: 'inherit',
  });
}
