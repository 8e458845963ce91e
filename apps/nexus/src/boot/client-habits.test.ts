import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectLog } from '@nexus/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { clientHabits } from './client-habits.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'nexus-habits-'));
  folders.push(made);
  return made;
}

it('what was learnt of a client is known after a restart', () => {
  const dataDir = folder();
  const { log } = collectLog();
  const habits = clientHabits(dataDir, log);
  expect(habits.looksAgain('codex')).toBeUndefined();
  habits.learn('codex', false);
  habits.learn('claude-code', true);
  const later = clientHabits(dataDir, log);
  expect([later.looksAgain('codex'), later.looksAgain('claude-code')]).toEqual([false, true]);
  expect(readdirSync(dataDir)).toEqual(['clients.json']);
});

it('a file that can’t be read is learnt anew, and clients with endless names or in endless number are not kept', () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'clients.json'), '{"half":');
  const { log } = collectLog();
  const habits = clientHabits(dataDir, log);
  habits.learn('x'.repeat(1_000), false);
  for (let index = 0; index < 300; index += 1) habits.learn(`client ${index}`, true);
  const later = clientHabits(dataDir, log);
  expect(later.looksAgain('x'.repeat(1_000))).toBeUndefined();
  expect([later.looksAgain('client 199'), later.looksAgain('client 200')]).toEqual([true, undefined]);
});

it('how long a client waits is known beside its other habits, after a restart, for thirty days', () => {
  const dataDir = folder();
  const { log } = collectLog();
  const habits = clientHabits(dataDir, log);
  expect(habits.waits('codex')).toBeUndefined();
  habits.learn('codex', false);
  habits.learnWaits('codex', { quietMs: 60_000 });
  const later = clientHabits(dataDir, log);
  expect([later.looksAgain('codex'), later.waits('codex')]).toEqual([false, { quietMs: 60_000 }]);
  vi.setSystemTime(Date.now() + 31 * 86_400_000);
  expect(later.waits('codex')).toBeUndefined();
  expect(later.looksAgain('codex')).toBe(false);
  vi.useRealTimers();
});

it('numbers in the file that are none are not believed', () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'clients.json'), '{"codex":{"quietMs":"1","totalMs":-5,"waitsSeenAt":9e15}}');
  expect(clientHabits(dataDir, collectLog().log).waits('codex')).toEqual({});
});
