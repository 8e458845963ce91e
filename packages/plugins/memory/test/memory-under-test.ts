import { type PluginTestOptions, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach } from 'vitest';
import memory from '../src/index.ts';

interface Hit {
  key: string;
  value: string;
  backend: string;
  score: number;
  parts: { relevance: number; confidence: number; decay: number; promotion: number; otherSession?: number };
  ageHours: number;
  version: number;
  history?: { version: number; value: string; whole?: string; confidence: number }[];
  metadata?: Record<string, unknown>;
  via?: string;
}

export interface Answer {
  results: Hit[];
  count: number;
  total: number;
  nextOffset?: number;
}

/** An empty memory for each test; `options` gives it a database of its own each time. */
export function memoryUnderTest(options: () => Promise<PluginTestOptions>) {
  let plugin: PluginUnderTest;
  let now: number;
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    plugin = await startPlugin(memory, { ...(await options()), testClock: () => now });
  });
  afterEach(() => plugin.stop());

  const write = (backend: string, key: string, value: string, more: Record<string, unknown> = {}) =>
    plugin.answer<{ outcome: string; version: number; confidence: number; previous?: { value: string } }>(
      'memory_write',
      { backend, key, value, ...more },
    );
  const query = (text: string, more: Record<string, unknown> = {}) =>
    plugin.answer<Answer>('memory_query', { query: text, ...more });
  const keys = async (text: string, more?: Record<string, unknown>) =>
    (await query(text, more)).results.map(({ key }) => key);
  const said = async (tool: string, input: Record<string, unknown>) =>
    (await plugin.call(tool, input)).content.map(({ text }) => text).join('\n');
  const pass = (ms: number) => {
    now += ms;
  };
  return {
    get plugin() {
      return plugin;
    },
    ...{ write, query, keys, said, pass },
  };
}
