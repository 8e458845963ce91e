import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';
import type { Watchdog } from '@nexus/processes';
import { createStore } from '@nexus/store';
import { type CreatedModels, createModels, type ModelsSettings } from '../src/index.ts';

const quiet = () => {};
const quietLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export interface ModelsUnderTest extends AsyncDisposable {
  readonly models: CreatedModels;
}

export interface ModelsTestOptions {
  readonly settings?: Partial<ModelsSettings>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly findProgram?: (command: string) => string | undefined;
  readonly processes?: Watchdog;
}

const noPrograms: Watchdog = { watch: quiet, release: quiet, close: quiet };

/** Models on a real store in a temporary folder, with nothing of this machine's environment. */
export function startModels({
  settings,
  environment = {},
  findProgram,
  processes,
}: ModelsTestOptions = {}): ModelsUnderTest {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-models-'));
  const store = createStore({ projectId: 'test', dataDir });
  const models = createModels({
    settings: { order: [], providers: {}, overrides: {}, maxAttempts: 4, ...settings },
    store,
    log: quietLog,
    recorded: quiet,
    environment,
    findProgram: findProgram ?? (() => undefined),
    processes: processes ?? noPrograms,
  });
  return {
    models,
    async [Symbol.asyncDispose]() {
      await models.flush();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The four wire formats, each with the settings that speak it to an endpoint. */
export const WIRES = [
  {
    wire: 'anthropic',
    model: 'anthropic:claude-sonnet-5-5',
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  },
  { wire: 'openai-responses', model: 'openai:gpt-6.1-sol', variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
  { wire: 'google', model: 'google:gemini-4-argon', variables: ['GEMINI_API_KEY', 'GEMINI_BASE_URL'] },
  { wire: 'openai-chat', model: 'ollama:qwen', variables: [] },
] as const;

export type TestedWire = (typeof WIRES)[number];

export function speaking({ variables }: TestedWire, url: string): ModelsTestOptions {
  const [key, base] = variables;
  if (key) return { environment: { [key]: 'sk-test-key', [base]: url } };
  return {
    settings: {
      providers: { ollama: { isEnabled: true, baseUrl: url, apiKey: 'sk-test-key', models: ['qwen'] } },
    },
  };
}

export const idle = () => ({ signal: new AbortController().signal });

/** Knows which groups are not ended yet. */
export function endingGuard(): Watchdog & { readonly watched: readonly number[] } {
  const watched = new Set<number>();
  return {
    get watched() {
      return [...watched];
    },
    watch: (groupId) => void watched.add(groupId),
    release: (groupId) => void watched.delete(groupId),
    close: quiet,
  };
}
