import { compareFeeds } from './compare-feeds.ts';
import { Refusal } from './refusal.ts';
import type { CompareOutcome, CompareTask } from './task.ts';

/** Runs in a thread: a million rows would keep everybody else waiting. */
export default async function run(task: CompareTask): Promise<CompareOutcome> {
  try {
    // Counters are copied as plain data.
    return { answer: JSON.parse(JSON.stringify(await compareFeeds(task))) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}
