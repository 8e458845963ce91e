import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputRequiredOf } from '@nexus/core';
import { questionSchema } from '@nexus/core/forms';
import { definePlugin, defineRunTool, type ToolCallResult } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findPostgres, type PostgresServer, startPostgres } from './index.ts';
import { startPlugin } from './start-plugin.ts';

let done = 0;
const plugin = definePlugin({
  name: 'test',
  options: z.object({}),
  tools: [
    defineRunTool({
      name: 'test_deploy',
      version: 1,
      title: 'Deploy',
      description: 'Asks before it deploys.',
      input: z.object({}),
      output: z.object({ action: z.string() }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      budget: 'pipeline',
      async run(_, run) {
        await run.step('build', () => {
          done += 1;
        });
        const { action } = await run.ask('deploy', { message: 'Deploy?', subject: { tool: 'deploy' } });
        return { action };
      },
    }),
  ],
  start: async () => ({}),
  stop: async () => {},
});

const binaries = findPostgres();
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  postgres = binaries === undefined ? undefined : await startPostgres(binaries);
});
afterAll(() => postgres?.stop());

function suspended(result: ToolCallResult) {
  const required = inputRequiredOf(result);
  if (!required) throw new Error(`not suspended: ${JSON.stringify(result)}`);
  return required;
}

describe.each(['SQLite', ...(binaries === undefined ? [] : ['Postgres'])])('a call on %s', (database) => {
  it('is suspended on a question, and taken up by another connection, after its server ended, with what it answers', async () => {
    done = 0;
    const databaseUrl = database === 'Postgres' ? await postgres?.createSchema() : undefined;
    const place = {
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      dataDir: mkdtempSync(join(tmpdir(), 'nexus-suspended-')),
    };
    const first = await startPlugin(plugin, place);
    const { state, requests } = suspended(
      await first.call('test_deploy', {}, { sessionId: 'a', isAskable: false }),
    );
    await first.stop();
    const [[key, question] = ['', undefined]] = Object.entries(requests);
    expect(question).toMatchObject({ message: 'Deploy?', subject: { tool: 'deploy' } });
    const { properties } = questionSchema(question ?? { message: '' }) as {
      properties: { subject_digest: { enum: string[] } };
    };
    const [digest = ''] = properties.subject_digest.enum;

    const second = await startPlugin(plugin, place);
    try {
      const again = (answers: Parameters<typeof answersOf>[0]) =>
        second.call('test_deploy', {}, { sessionId: 'b', isAskable: false, inputs: answersOf(answers) });
      const answersOf = (content: Record<string, string> | undefined) => ({
        state,
        answers: {
          [key]: content ? ({ action: 'accept', content } as const) : ({ action: 'cancel' } as const),
        },
      });
      expect(suspended(await again(undefined))).toEqual({ state, requests });
      // What it says yes to is not said.
      expect((await again({})).isError).toBe(true);
      expect(await again({ subject_digest: digest })).toMatchObject({
        structuredContent: { action: 'accept' },
      });
      expect(await again({ subject_digest: digest })).toMatchObject({
        structuredContent: { action: 'accept' },
      });
      expect(done).toBe(1);
    } finally {
      await second.stop();
    }
  });

  it('that is a job under a key is suspended too, and the same call waits for it again', async () => {
    const databaseUrl = database === 'Postgres' ? await postgres?.createSchema() : undefined;
    const running = await startPlugin(plugin, databaseUrl === undefined ? {} : { databaseUrl });
    try {
      const call = (isAskable: boolean) =>
        running.call('test_deploy', { idempotencyKey: 'k' }, { isAskable });
      const { state, requests } = suspended(await call(false));
      const [question] = Object.values(requests);
      const { runs } = running.host;
      expect((await runs.get(state)).asks).toHaveLength(1);
      const waiting = call(true);
      await runs.answer(state, { action: 'accept' }, { digest: question?.digest ?? '' });
      expect(await waiting).toMatchObject({ structuredContent: { action: 'accept', runId: state } });
      expect(await call(false)).toMatchObject({ structuredContent: { action: 'accept', runId: state } });
    } finally {
      await running.stop();
    }
  });
});
