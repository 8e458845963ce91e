import type { Carried } from '@nexus/engine';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { carryHere } from './carry.ts';

const { signal } = new AbortController();
const paused = { run: { id: 'run_a', status: 'paused', message: 'at its cap' }, why: 'paused' } as Carried;
let told = '';

beforeEach(() => {
  told = '';
  vi.useFakeTimers();
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text);
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('claims to go on only while something is being done, and says so once', async () => {
  const said: string[] = [];
  const how = { signal, of: 'run_a', say: (line: string) => said.push(line) };
  await carryHere(async ({ onLook }) => {
    onLook?.('run_a', true);
    await vi.advanceTimersByTimeAsync(400);
    onLook?.('run_a', false);
    await vi.advanceTimersByTimeAsync(10_000);
    return [paused];
  }, how);
  expect(told).toBe('');
  expect(said).toEqual(['run_a is paused: at its cap']);
  await carryHere(async ({ onLook }) => {
    for (const isDoing of [true, true, false, true]) {
      onLook?.('run_a', isDoing);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    return [];
  }, how);
  expect(told.match(/goes on with run_a/g)).toHaveLength(1);
});

it('says nothing of a run that the person knows of already, unless more has come of it', async () => {
  const said: string[] = [];
  const how = { signal, of: undefined, told: paused.run, say: (line: string) => said.push(line) };
  const over = { run: { ...paused.run, status: 'completed' }, why: 'over' } as Carried;
  expect(await carryHere(async () => [paused], how)).toBe(1);
  expect(said).toEqual([]);
  await carryHere(async () => [over], how);
  expect(said).toEqual(['run_a is completed.']);
});
